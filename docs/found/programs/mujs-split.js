print("a".split(/a/).length);
