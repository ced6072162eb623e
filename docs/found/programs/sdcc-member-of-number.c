int f(int x) { return 1 ? &x.b[5] : x; }
