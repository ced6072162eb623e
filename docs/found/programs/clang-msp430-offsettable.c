extern int v;
void f(void) { __asm__("" : : "o"(v)); }
