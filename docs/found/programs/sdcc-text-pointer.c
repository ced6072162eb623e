void f(void) { int *a = ""; a[0] = 1; }
