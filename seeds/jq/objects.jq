# Objects that are made, merged and changed.
def put($o; $k; $v): $o + {($k): $v};
{a: 1} as $o | {a: 2, b: {c: 3}} as $p | "a" as $k | "b" as $m | (
  put($o; $k; $p), put($p; $m; $o), $o * $p,
  ($p | has($k), has($m)), ($p | del(.[$k])), ($o | .[$m] = $k),
  ([$o, $p] | map(keys)), ($p | to_entries | map(.key)), ($o == $p)
) | tojson
