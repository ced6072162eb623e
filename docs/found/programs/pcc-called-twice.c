void f(void) { t(u)(); }
