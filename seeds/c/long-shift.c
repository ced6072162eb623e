int printf(const char *, ...);

unsigned long long a = 1, b = 0xffff0000ffffull;

int main(void)
{
    unsigned long long x = a << 40, y = b >> 12;
    unsigned m = 5, n = 9;
    x |= y << m;
    y ^= x >> n;
    printf("%llu %llu\n", x, y);
    return 0;
}
