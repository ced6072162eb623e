#include <cstdio>

constexpr int square(int value) { return value * value; }
template <int N> struct Triangle { static constexpr int value = N + Triangle<N - 1>::value; };
template <> struct Triangle<0> { static constexpr int value = 0; };

int main() {
  constexpr int size = 4;
  int table[size] = {};
  int a = 1, b = 2;
  for (int i = 0; i < size; i++) {
    int next = square(i) + a;
    table[i] = next;
    a = b;
    b = next;
  }
  std::printf("%d %d %d %d\n", table[0], table[3], Triangle<5>::value, a + b);
  return 0;
}
