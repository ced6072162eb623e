# Keys that are numbers, texts and pairs; what is counted, deleted and asked for.
function filled(low, high,   at, kept, gone) {
  for (at = low; at < high && ++FUEL < 200; at++) {
    T[at] = at * 2
    T[at, low] = at - high
    if (at % 2) delete T[at]
  }
  kept = 0
  for (at in T) { kept++; gone += T[at] }
  if ((low, high) in T) gone = gone "!"
  if (low in T) kept += 100
  return kept ":" gone
}
BEGIN {
  print filled(1, 5)
  print filled(0, 3)
  print T[1], T[2] + T[4], length(T[2, 1])
}
