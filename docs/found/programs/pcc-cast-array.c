int e;
void f(void) { e = (int[])0; }
