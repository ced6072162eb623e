int printf(const char *, ...);

static void split(int n, int *high, int *low)
{
    *high = n / 10;
    *low = n - *high * 10;
}

int main(void)
{
    int a = 47, b, c = 0, d;
    split(a, &b, &d);
    c = b - d;
    split(a + c, &d, &b);
    printf("%d %d %d\n", b, c, d);
    return 0;
}
