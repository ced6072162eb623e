void g(int *);
void f(void) { int a[17000]; g(a); }
