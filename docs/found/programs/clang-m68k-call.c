int bar(void);
void foo(int *z) { *z = *z * bar(); }
