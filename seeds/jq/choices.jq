# Comparisons, alternatives and what goes wrong, by types that differ.
def least($x; $y): if $x < $y then $x else $y end;
1 as $n | "1" as $t | [1] as $l | null as $u | (
  least($n; $t), least($l; $u),
  ($u // $n), ([$n == $t, $t < $l, $u != $n]),
  (try ($n + $t) catch "caught"), (try ($l - $n) catch "caught"),
  ([$n, $t, $l, $u] | map(type)), ([$l, $u, $t, $n] | sort)
) | tojson
