unsigned _Bool p, q;
void f(void) { q = p; }
