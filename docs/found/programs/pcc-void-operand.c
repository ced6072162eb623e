void *b;
int a;
void c(void) { *b -= a; }
