int printf(const char *, ...);
int b(signed char i) { return (unsigned short)i; }
int main(void) { printf("%d\n", b(-100)); return 0; }
