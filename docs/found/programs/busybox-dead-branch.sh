n=5
echo $((1 || (n = 1))) $n
