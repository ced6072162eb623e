static int f(void) { return 0; }
static int f(void) { return 0; }
