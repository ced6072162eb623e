# printf with what is given for numbers, texts and widths.
function shown(number, text, wide,   line) {
  line = sprintf("%d|%5.2f|%s", number, wide, text)
  line = line sprintf("|%-6s|%03d", text, wide)
  line = line sprintf("|%x|%c", number % 256, "Az")
  if (match(line, /[0-9]+\.[0-9]/)) line = line "@" RSTART "+" RLENGTH
  gsub(/0/, "o", text)
  return line "|" text number
}
BEGIN {
  print shown(10, "a0b", 3)
  print shown(2.5, "007", 1)
}
