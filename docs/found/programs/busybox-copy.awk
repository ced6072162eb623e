BEGIN { n0 = n1; print (0 == n0) }
