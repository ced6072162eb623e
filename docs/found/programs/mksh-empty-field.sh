IFS=,
set -- $(printf ,)
echo $#
