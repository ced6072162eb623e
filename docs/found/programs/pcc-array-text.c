int f(void) { unsigned b[2] = "a"; return b[0]; }
