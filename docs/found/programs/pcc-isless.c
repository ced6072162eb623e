int f(void) { return __builtin_isless(0, 0); }
