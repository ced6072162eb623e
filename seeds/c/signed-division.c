int printf(const char *, ...);

int a = -7, b = 2;

static int round_up(int x, int y)
{
    return x / y + (x % y > 0);
}

int main(void)
{
    int c = 9, d = -4;
    long e = -100, f = 7;
    printf("%d %d %d\n", a / b, a % b, round_up(c, b));
    printf("%d %d %d\n", c / d, c % d, round_up(a, d));
    printf("%ld %ld %u\n", e / f, e % f, (unsigned)a / 3u);
    return 0;
}
