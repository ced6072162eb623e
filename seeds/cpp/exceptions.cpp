#include <cstdio>

static int checked(int value, int limit) {
  if (value > limit) throw value - limit;
  return value + limit;
}

int main() {
  int a = 3, b = 8, c = 0;
  for (int i = 0; i < 4; i++) {
    try {
      int got = checked(a * i, b);
      c = c + got;
    } catch (int above) {
      int lost = above * 2;
      c = c - lost;
    }
  }
  std::printf("%d %d %d\n", a, b, c);
  return 0;
}
