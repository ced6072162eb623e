int printf(const char *, ...);
short e = -1;
unsigned short g = 1;
int n = 1;
int main(void) { printf("%d\n", n ? e : g); return 0; }
