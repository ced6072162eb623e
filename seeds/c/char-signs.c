int printf(const char *, ...);

signed char a = -1;
unsigned char b = 255;
unsigned short c = 65535;

int main(void)
{
    int x = a == b, y = a < c, z = (signed char)b == a;
    long l = a, m = c;
    unsigned u = a, v = b;
    l += b;
    m -= a;
    u >>= 28;
    v = ~v;
    printf("%d %d %d %ld %ld %u %u\n", x, y, z, l, m, u, v);
    return 0;
}
