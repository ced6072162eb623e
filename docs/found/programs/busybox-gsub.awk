BEGIN { s = "aaa"; print gsub(/a*/, "x", s), s }
