int printf(const char *, ...);
int f(long n) { switch (n) { case 0x100000000LL: return 1; case 0: return 2; } return 3; }
int main(void) { printf("%d %d %d\n", f(0), f(0x100000000LL), f(1)); return 0; }
