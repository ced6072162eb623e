int printf(const char *, ...);

unsigned char a = 200;
short b = -300;
long c = 70000;
unsigned d = 5;

int main(void)
{
    int x = 3, y = 17;
    a += a;
    a >>= x;
    b *= x;
    b /= y;
    c %= y;
    c <<= d;
    d |= a;
    d ^= y;
    x -= b;
    y &= ~x;
    printf("%d %d %ld %u %d %d\n", a, b, c, d, x, y);
    return 0;
}
