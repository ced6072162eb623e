int printf(const char *, ...);

static int add(int x, int y) { return x + y; }
static int sub(int x, int y) { return x - y; }

int main(void)
{
    int (*p)(int, int) = add, (*q)(int, int) = sub;
    int a = 9, b = 4;
    int r = p(a, b), s = q(b, a);
    p = q;
    printf("%d %d %d\n", r, s, p(r, s));
    return 0;
}
