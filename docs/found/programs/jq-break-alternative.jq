[1, 2] | [first(. as [$x] ?// $x | [$x])]
