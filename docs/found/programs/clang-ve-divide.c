typedef int V __attribute__((vector_size(16)));
void f(V *x) { *x = *x / (V){1, 4, 2, 8}; }
