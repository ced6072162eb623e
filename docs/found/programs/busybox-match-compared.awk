BEGIN { print (match("a", /b/) == match("b", /b/)) }
