typedef long V __attribute__((vector_size(8)));
void f(V *x, int y) { *x <<= y; }
