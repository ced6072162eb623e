int printf(const char *, ...);

static long run(long n, long acc, long step)
{
    if (n == 0)
        return acc;
    return run(n - 1, acc + step, step + 1);
}

int main(void)
{
    long a = 10, b = 1, c = 3;
    printf("%ld %ld\n", run(a, b, c), run(c, a, b));
    return 0;
}
