struct { int a; } i;
void a(void) { i = g(0) + 1; }
