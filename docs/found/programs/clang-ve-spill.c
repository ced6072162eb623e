typedef float V __attribute__((vector_size(16)));
void h(void);
V f(V a) { h(); return a; }
