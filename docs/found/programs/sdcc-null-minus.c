signed char *f(long n) { return (signed char *)0 - n; }
