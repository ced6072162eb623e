int g(int *);
void f(double p) { g(p); }
