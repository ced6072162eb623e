#include <cstdio>

static void exchange(int &one, int &two) { int kept = one; one = two; two = kept; }
static int &larger(int &one, int &two) { return one > two ? one : two; }

int main() {
  int a = 1, b = 2, c = 3;
  exchange(a, b);
  int &top = larger(b, c);
  top = top + a;
  exchange(c, a);
  const int &seen = a;
  std::printf("%d %d %d %d\n", a, b, c, seen);
  return 0;
}
