int printf(const char *, ...);

enum colour { RED, GREEN, BLUE };

static int weight(enum colour c, int base, int extra)
{
    switch (c) {
    case RED: return base;
    case GREEN: base += extra; break;
    default: base -= extra;
    }
    return base + extra;
}

int main(void)
{
    enum colour p = GREEN, q = BLUE;
    int a = 3, b = 8;
    printf("%d %d\n", weight(p, a, b), weight(q, b, a));
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 416
//# 154-166
