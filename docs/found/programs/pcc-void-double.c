void f(void) { (void)(double)0; }
