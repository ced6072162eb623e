typedef float V __attribute__((vector_size(8)));
V f(int x, V a) { return x ? (V){1, 1} : a; }
