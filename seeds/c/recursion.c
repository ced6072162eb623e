int printf(const char *, ...);

static int ack(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}

int main(void)
{
    int a = 2, b = 3;
    printf("%d\n", ack(a, b));
    return 0;
}
