# Texts that are cut, joined and put into others.
def around($text; $mark): $mark + $text + $mark;
"abc" as $a | "b" as $b | "" as $c | (
  around($a; $b),
  "<\($a)|\($b)|\($c)>",
  ($a | split($b) | join($a)),
  ($a | ltrimstr($c), rtrimstr($b), startswith($b), endswith($a)),
  ([$a, $b, $c] | sort, (map(length) | add)),
  ($a | test($b), index($b))
) | tojson
