# Loops that are left early, and calls that change their parameters.
function climbed(from, to, step,   rounds, best) {
  while (from < to) {
    if (++FUEL > 300) break
    rounds++
    if (rounds % 3 == 0) { from = (from + step) % 1000; continue }
    from = from % 1000 + 1
    best = best < from ? from : (best + step) % 1000
  }
  do { rounds--; to = (to - rounds) % 1000 } while (rounds > 0 && ++FUEL < 300)
  return best "/" rounds "/" to
}
function twice(value, change,   kept) {
  kept = value
  value = value change
  change = kept + value
  return value "," change "," kept
}
BEGIN {
  print climbed(0, 9, 2)
  print twice(1, 2), twice("a", 3)
}
