int f(int *p) { int a[]; return p >= a; }
