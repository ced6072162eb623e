# Objects that are made, merged and changed. Keys are texts, whatever is given for them.
def put($o; $k; $v): $o + {($k | tostring): $v};
{a: 1} as $o | {a: 2, b: {c: 3}} as $p | "a" as $k | "b" as $m | (
  put($o; $k; $p), put($p; $m; $o), $o + $p,
  ($p | has($k | tostring), has($m | tostring)), ($p | del(.[$k | tostring])), ($o | .[$m | tostring] = $k),
  ([$o, $p] | map(keys)), ($p | to_entries | map(.key)), ($o == $p)
) | tojson
