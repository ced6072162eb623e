void g(void) {}
int f(void) { return 1; }
int p(const char *, ...);
int main(void) { p("%d", g() && f()); p("%d", g() || f()); p("%d", f() && g()); return 0; }
