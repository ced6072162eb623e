void f(void) { int a[4], (*p)[]; p = &a; (*p)[3] = 1; }
