# Lists that are sliced, sorted, grouped and searched.
[3, 1, 2] as $a | [1, 1] as $b | 1 as $i | 2 as $j | (
  $a[$i:$j], $b[:$i], ($a | sort), ($a + $b | unique), ($a - $b),
  ($a | map(. + $i) | add), ($b | index($i)), ($a | any(. > $j)),
  ([$a, $b] | map(length)), ($a | group_by(. > $i)),
  ([range($i; $j)] == $b), ($a | .[$i] += $j | .[$j])
) | tojson
