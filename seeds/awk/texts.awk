# Parts of texts, joined again; numbers that are texts and texts that are numbers.
function turned(text, mark,   left, right, result) {
  left = substr(text, 1, 2)
  right = substr(text, 3)
  result = right mark left
  if (index(text, mark) > 1) result = toupper(result)
  if (left < right) result = result "<" length(left)
  else result = result ">" (right + 1)
  sub(/[ab]+/, "[&]", result)
  return result mark length(text)
}
BEGIN {
  print turned("abcde", "c")
  print turned("10 20", " ")
  print turned(turned("ab", "-"), "x")
}
