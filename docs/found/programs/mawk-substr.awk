BEGIN { print substr("00", -1, 0) "|" }
