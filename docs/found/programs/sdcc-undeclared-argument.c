int g(int);
void f(void) { g(run(0, 0)); }
