int printf(const char *, ...);

static inline int mix(int x, int y)
{
    int t = x & y, u = x | y;
    return u - t;
}

int main(void)
{
    int a = 12, b = 10, c = 6;
    int r = mix(a, b), s = mix(b, c);
    printf("%d %d %d\n", r, s, mix(r, s));
    return 0;
}
