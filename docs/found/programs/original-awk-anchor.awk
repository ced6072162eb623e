BEGIN { print match("abc", /^(^a)/), match("abc", /(^a)b/) }
