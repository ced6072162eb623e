#include <cstdio>

struct Shape {
  virtual ~Shape() {}
  virtual int area(int scale, int offset) const = 0;
};
struct Square : Shape {
  int side;
  explicit Square(int length) : side(length) {}
  int area(int scale, int offset) const override {
    int width = side * scale, height = side + offset;
    return width * height;
  }
};
struct Line final : Shape {
  int area(int scale, int offset) const override { return scale - scale + offset - offset; }
};

static int total(const Shape &one, const Shape &two, int scale) {
  int first = one.area(scale, 1), second = two.area(scale, 2);
  return first * 100 + second;
}

int main() {
  int a = 2, b = 3;
  Square square(a);
  Line line;
  std::printf("%d %d\n", total(square, line, b), total(line, square, a));
  return 0;
}
