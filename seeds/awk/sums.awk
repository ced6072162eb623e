# Sums, products and remainders of small numbers, whatever stands for what.
function weighed(first, second, times,   sum, product, i) {
  sum = first + second
  product = first * 2
  for (i = 0; i < 4 && ++FUEL < 200; i++) {
    sum += product - i
    product = product % 7 + second
    if (sum > times * 5) sum -= first
    else sum = sum + i * times
  }
  return sum - product / 2
}
BEGIN {
  print weighed(1, 2, 3), weighed(4, 0, -2)
  print weighed(weighed(2, 2, 1), 3, 1)
}
