#:abcabc
s/b/-/2
