int printf(const char *, ...);

float a = 0.5f, b = -0.0f;
double c = 1e30, d = 0;

static int order(double x, float y)
{
    return (x < y) * 4 + (x == y) * 2 + (x > y);
}

int main(void)
{
    int n = 3;
    unsigned u = 4000000000u;
    c = -c;
    d = u + a;
    b = n ? b : a;
    printf("%d %d %d %d\n", order(c, a), order(d, b), order(b, b), order(a, n));
    printf("%.1f %d %d\n", d, !b, !a);
    return 0;
}
