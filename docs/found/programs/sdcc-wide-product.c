int f(unsigned long long x) { unsigned m = 5; return x * m; }
