print("aaa".lastIndexOf("a", -5), "abc".lastIndexOf("c", NaN));
