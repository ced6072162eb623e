long f(void) { return 1 - (long)&((struct { int f, g; } *)0)->g; }
