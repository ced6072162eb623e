void f(void) { int g(void) { return 1; } }
int g(void) { return 2; }
