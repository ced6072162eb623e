struct s { int a; } x;
void f(void) { x += x * x; }
