union u baz(int *);
void f(int *a) { baz(a); }
