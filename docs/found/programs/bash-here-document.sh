echo "$(
: <<E
E
v=1; echo "<$v>"
)"
