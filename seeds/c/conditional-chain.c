int printf(const char *, ...);

static int sign(long x, long y)
{
    return x < y ? -1 : x > y ? 1 : 0;
}

int main(void)
{
    long a = 4, b = -4, c = 1L << 40;
    int r = sign(a, b), s = sign(b, c), t = sign(c, c);
    printf("%d %d %d\n", r, s, t);
    return 0;
}
