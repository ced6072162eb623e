int printf(const char *, ...);
struct h { char c; double d; };
struct g { long a[5]; };
long b(struct g i, struct h m) { return m.c; }
int main(void) { struct h m = {3, 1.5}; struct g p = {{0}}; printf("%ld\n", b(p, m)); return 0; }
