int printf(const char *, ...);

long double a = 1.5L, b = 2;
double c = 0.25;

static long double mix(long double x, double y, float z)
{
    long double sum = x + y;
    return sum * z - x;
}

int main(void)
{
    float d = 3;
    long double e = mix(a, c, d), f = mix(b, d, d);
    printf("%.2f %.2f %d\n", (double)e, (double)f, a < b);
    return 0;
}
