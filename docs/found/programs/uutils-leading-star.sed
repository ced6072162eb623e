#:*a
s/^*a/x/
