unsigned long f(void) { unsigned long u = 26 * (unsigned long)&u; return u; }
