int printf(const char *, ...);

static int pick(long long x, unsigned char y)
{
    switch (x) {
    case -1: return 1;
    case 0x100000000LL: return 2;
    case 7: y += 3;
    default: break;
    }
    switch (y) {
    case 255: return 3;
    case 2: return 4;
    }
    return y;
}

int main(void)
{
    long long a = -1, b = 0x100000000LL, c = 7;
    unsigned char d = 255, e = 9;
    printf("%d %d %d %d\n", pick(a, d), pick(b, e), pick(c, d), pick(c, e));
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 478
//# 231-240
