typedef float V __attribute__((vector_size(8)));
V g(float x) { V c = { x }; return c + c; }
