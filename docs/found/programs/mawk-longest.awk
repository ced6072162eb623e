BEGIN { s = "cd"; sub(/c|c.?/, "x", s); print s }
