struct S {};
void f(struct S s) {}
