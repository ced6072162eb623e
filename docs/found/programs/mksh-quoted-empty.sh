s=
set -- ''${s+$s}
echo $#
