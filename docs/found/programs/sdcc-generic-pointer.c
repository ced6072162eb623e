int f(void) { return _Generic((int *)0, int *: 1, default: 2); }
