int printf(const char *, ...);

int g = 1, h = 2;

static void store(int p, int q)
{
    g = p;
    g = q;
    h = g + p;
}

int main(void)
{
    int a = 10, b = 20;
    store(a, b);
    printf("%d %d\n", g, h);
    return 0;
}
