enum a;
int f(enum a *);
int g(void) { return f("x"); }
