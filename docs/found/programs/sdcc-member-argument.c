int g(int *, ...);
struct { struct { int a; } b; } v;
void f(void) { g(0, v.b); }
