int printf(const char *, ...);

unsigned a = 0xfffffff0u, b = 0x20u;

int main(void)
{
    unsigned c = a + b, d = b - a;
    int less = c < d, more = a > b;
    if (less != more)
        c = d * 3;
    printf("%u %u %d %d\n", c, d, less, more);
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 262
//# 188-198
