#include <cstdio>

class Counter {
  int total;
  int steps;
public:
  Counter(int start) { total = start; steps = 0; }
  void add(int first, int second) {
    int sum = first + second;
    int twice = sum * 2;
    total = total + sum - twice / 4;
    steps = steps + 1;
  }
  int value() const { return total * 10 + steps; }
};

int main() {
  int a = 3, b = 5;
  Counter counter(a);
  for (int i = 0; i < b; i++) {
    int c = i * a;
    counter.add(c, b);
    counter.add(i, c);
  }
  std::printf("%d\n", counter.value());
  return 0;
}
