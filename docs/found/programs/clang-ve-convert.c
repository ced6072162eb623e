typedef int I __attribute__((vector_size(16)));
typedef float F __attribute__((vector_size(16)));
void f(I *p, F *q) { *p = __builtin_convertvector(*q, I); }
