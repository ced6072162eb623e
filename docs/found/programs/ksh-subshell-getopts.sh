v=0
( while getopts c o -a; do : "${OPTARG-}"; done 2>/dev/null; v=1 )
echo $v
