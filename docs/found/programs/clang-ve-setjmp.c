int f(void *x) { return __builtin_setjmp(x); }
