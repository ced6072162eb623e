static inline void a(int x[][3][3]) {}
int g[2][3][3];
int main(void) { a(g); return 0; }
