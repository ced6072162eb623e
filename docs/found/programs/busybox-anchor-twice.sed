#:abcabc
s/^a/X/2
