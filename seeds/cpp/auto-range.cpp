#include <cstdio>
#include <vector>
#include <map>

int main() {
  std::vector<int> numbers = {4, 8, 15, 16};
  std::map<int, int> seen;
  int sum = 0, product = 1, last = 0;
  for (auto number : numbers) {
    int half = number / 2;
    sum = sum + half;
    product = product * (half - sum % 3);
    seen[half] = last;
    last = sum;
  }
  for (const auto &entry : seen) sum = sum + entry.first * entry.second;
  std::printf("%d %d %d\n", sum, product, last);
  return 0;
}
