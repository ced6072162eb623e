static inline int f(void) { return 0; }
static int (*p)(void) = f;
int main(void) { return p(); }
