( while getopts c o -a; do : "$OPTARG"; done 2>/dev/null; IFS=x; : `:` )
s=axb
set -- $s
echo $#
