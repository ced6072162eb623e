print("".indexOf("", NaN), "abc".indexOf("", 9));
