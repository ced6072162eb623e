struct S { char a, b, c, d, e; } u, f(void);
void g(void) { u = f(); }
