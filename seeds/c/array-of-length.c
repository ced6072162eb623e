int printf(const char *, ...);

static int sum(int n, int k)
{
    int v[n], w[k], i, all = 0;
    for (i = 0; i < n; i++)
        v[i] = i + k;
    for (i = 0; i < k; i++)
        w[i] = i * n;
    all = v[n - 1] + w[k - 1];
    return all + (int)(sizeof v / sizeof v[0]);
}

int main(void)
{
    int a = 4, b = 6;
    printf("%d %d\n", sum(a, b), sum(b, a));
    return 0;
}
