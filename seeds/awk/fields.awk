# A record that is set, its fields, and what becomes of both.
function split_up(line, glue, place,   old, many, total) {
  $0 = line
  old = NF
  many = split(line, PART, glue)
  total = $1 + $2 + many
  $(1 + length(place) % 3) = old total
  if (many > old) total = total glue $0
  else NF = 2
  return total "|" $0 "|" NF
}
BEGIN {
  OFS = "-"
  print split_up("3 4 five", " ", 2)
  print split_up("1,2 3", ",", 1)
  print split_up("", ",", 4)
}
