printf '%s|%d\n' x
echo $?
