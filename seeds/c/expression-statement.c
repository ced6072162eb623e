int printf(const char *, ...);

int g = 4;

static int twice(int x)
{
    return ({ int y = x + g; y * 2; });
}

int main(void)
{
    int a = 1, b = 2;
    int c = ({ int a = b; if (a > 1) a += g; a; });
    g = ({ b++; twice(a); });
    printf("%d %d %d %d\n", a, b, c, g);
    return 0;
}
