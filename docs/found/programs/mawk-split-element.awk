BEGIN { split("x", a, "b"); a[1] = a["none"]; print "<" a[1] ">" }
