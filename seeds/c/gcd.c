int printf(const char *, ...);

static unsigned gcd(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int main(void)
{
    unsigned p = 1071, q = 462;
    printf("%u %u\n", gcd(p, q), gcd(q, 11));
    return 0;
}
