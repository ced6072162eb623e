# reduce and foreach over numbers.
def total($from; $to): reduce range($from; $to) as $n ($from; . + $n * $to);
2 as $low | 6 as $high | (
  total($low; $high),
  [foreach range($low; $high) as $k ($high; . - $k; [., $k, $low])],
  (reduce ($low, $high) as $x ([]; . + [$x, $high]))
) | tojson
