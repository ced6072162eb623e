struct e { struct e x; } a;
void g(int, ...);
void f(void) { g(1, a.x); }
