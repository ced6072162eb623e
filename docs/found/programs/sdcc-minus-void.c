int f(void) { return 0 ? -(void)1 - 1 : 0; }
