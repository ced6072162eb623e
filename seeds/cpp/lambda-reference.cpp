#include <cstdio>

template <typename F> int apply(F function, int times, int start) {
  int result = start;
  for (int i = 0; i < times; i++) result = function(result, i);
  return result;
}

int main() {
  int step = 3, count = 0, limit = 20;
  auto next = [&](int value, int round) {
    count = count + 1;
    int moved = value + step * round;
    return moved > limit ? limit - round : moved;
  };
  int first = apply(next, 5, step);
  int second = apply(next, count, first);
  std::printf("%d %d %d\n", first, second, count);
  return 0;
}
