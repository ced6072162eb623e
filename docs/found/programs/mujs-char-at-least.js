print("abc".charAt(-2147483648) === "");
