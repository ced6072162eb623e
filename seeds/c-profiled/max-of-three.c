int printf(const char *, ...);

static int max(int a, int b, int c)
{
    int m = a;
    if (b > m)
        m = b;
    if (c > m)
        m = c;
    return m;
}

int main(void)
{
    int x = 4, y = 9, z = -2;
    printf("%d %d\n", max(x, y, z), max(z, y, x));
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 276
//# 138-144
