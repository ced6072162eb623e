double f(char *p) { return __builtin_nan(p); }
