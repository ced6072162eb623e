#include <cstdio>

template <typename T> T largest(T one, T two, T three) {
  T most = one;
  if (two > most) most = two;
  if (three > most) most = three;
  return most;
}

template <typename T, int N> T sum_of(const T (&values)[N]) {
  T sum = T(), last = T();
  for (int i = 0; i < N; i++) {
    last = values[i];
    sum = sum + last;
  }
  return sum - last;
}

int main() {
  int a = 4, b = 7, c = 2;
  double x = 1.5, y = 0.25, z = -2.0;
  int numbers[4] = {1, 2, 3, 4};
  int one = largest(a, b, c), two = sum_of(numbers);
  double three = largest(x, y, z);
  std::printf("%d %d %g\n", one, two, three);
  return 0;
}
