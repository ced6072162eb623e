#include <cstdio>

namespace outer {
int shared = 2, other = 3;
namespace inner {
int shared = 5;
int mix(int a, int b) { int c = a * shared + b; return c - other; }
}
int mix(int a, int b) { int c = a + b * shared; return inner::mix(c, a); }
}

int main() {
  using outer::inner::mix;
  int x = 1, y = 4;
  int first = outer::mix(x, y), second = mix(y, x);
  std::printf("%d %d\n", first, second);
  return 0;
}
