#include <cstdio>

static int of(int value, int other) { return value - other; }
static int of(long value, long other) { return static_cast<int>(value + other); }
static int of(double value, double other) { return value < other ? 1 : 2; }
struct Pair { int left, right; };
static Pair operator+(const Pair &one, const Pair &two) {
  Pair result = {one.left + two.left, one.right + two.right};
  return result;
}
static bool operator<(const Pair &one, const Pair &two) {
  return one.left != two.left ? one.left < two.left : one.right < two.right;
}

int main() {
  int a = 5, b = 9;
  long c = 7, d = 1;
  double x = 0.5, y = 2.5;
  Pair p = {a, b}, q = {b, a};
  Pair r = p + q;
  std::printf("%d %d %d %d %d\n", of(a, b), of(c, d), of(x, y), r.left, p < q);
  return 0;
}
