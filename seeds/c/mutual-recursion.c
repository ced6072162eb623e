int printf(const char *, ...);

static int odd(int n, int d);

static int even(int n, int d)
{
    return n == 0 ? d : odd(n - 1, d + 1);
}

static int odd(int n, int d)
{
    return n == 0 ? -d : even(n - 1, d + 2);
}

int main(void)
{
    int a = 6, b = 5;
    printf("%d %d\n", even(a, b), odd(b, a));
    return 0;
}
