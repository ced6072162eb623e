# Variables that are bound, bound again, and bound by their place.
def joined($first; $second): ($first + $second) as $both | [$first, $both, $second];
3 as $a | 4 as $b | (
  joined($a; $b),
  ([$b, $a] as [$c, $d] | [$c - $d, $c * $d, $a]),
  ({p: $a, q: $b} as {p: $e, q: $f} | [$e, $f, $e + $b]),
  (($a + $b) as $a | [$a, $b])
) | tojson
