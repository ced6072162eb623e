#include <cstdio>
#include <memory>
#include <utility>

struct Box {
  int value;
  Box(int start) : value(start) {}
};

static std::unique_ptr<Box> grow(std::unique_ptr<Box> box, int by, int times) {
  int more = by * times;
  box->value = box->value + more - times;
  return box;
}

int main() {
  int a = 2, b = 5;
  std::unique_ptr<Box> one(new Box(a)), two(new Box(b));
  one = grow(std::move(one), a, b);
  two = grow(std::move(two), b, a);
  std::printf("%d %d\n", one->value, two->value);
  return 0;
}
