typedef __attribute__((neon_vector_type(2))) unsigned long V;
void g(V) {}
