int printf(const char *, ...);
int i = 127;
int main(void) { printf("%d %d\n", (i % 262) << (i % i), (i % 262) << (i / 127)); return 0; }
