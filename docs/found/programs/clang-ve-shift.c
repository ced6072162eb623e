typedef unsigned long V __attribute__((vector_size(16)));
void f(V *x, unsigned y) { *x = *x >> y; }
