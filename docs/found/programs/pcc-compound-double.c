int printf(const char *, ...);
int n = 251;
double d = -159.25;
int main(void) { n += d; printf("%d\n", n); return 0; }
