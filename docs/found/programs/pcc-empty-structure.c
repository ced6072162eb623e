struct s {};
int bar(struct s);
void f(void) { struct s i; bar(i); }
