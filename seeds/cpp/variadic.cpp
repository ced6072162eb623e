#include <cstdio>

template <typename T> T fold(T start, T last) { return start * 3 + last; }
template <typename T, typename... Rest> T fold(T start, T next, Rest... rest) {
  T mixed = start - next, kept = next;
  return fold(mixed + kept * 2, rest...);
}

int main() {
  int a = 1, b = 2, c = 3, d = 4;
  long x = 10, y = 20;
  std::printf("%d %ld\n", fold(a, b, c, d), fold(x, y));
  return 0;
}
