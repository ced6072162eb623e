BEGIN { printf "<%+1.0d>\n", 0 }
