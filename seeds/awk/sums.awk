# Sums, products and remainders of small numbers, whatever stands for what.
function weighed(first, second, times,   sum, product, i) {
  sum = first + second
  product = first * 2
  for (i = 0; i < 4 && ++FUEL < 200; i++) {
    sum = (sum + product - i) % 1000
    product = (product % 7 + second) % 1000
    if (sum > times * 5) sum -= first % 10
    else sum = (sum + i * times) % 1000
  }
  return sum - product / 2
}
BEGIN {
  print weighed(1, 2, 3), weighed(4, 0, -2)
  print weighed(weighed(2, 2, 1), 3, 1)
}
