int printf(const char *, ...);

static double all(int a, double b, long c, float d, char e, short f, unsigned g,
                  double h, int i, long j, double k, double l, double m, double n, double o)
{
    return a + b + c + d + e + f + g + h + i + j + k + l * m + n - o;
}

int main(void)
{
    int x = 2, y = 3;
    double p = 0.5, q = 4;
    printf("%.2f\n", all(x, p, y, q, x, y, x, q, y, x, p, q, p, q, p));
    printf("%.2f\n", all(y, q, x, p, y, x, y, p, x, y, q, p, q, p, q));
    return 0;
}
