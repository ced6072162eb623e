int printf(const char *, ...);

unsigned short s = 65000, t = 700;
short u = -30000, v = 123;

int main(void)
{
    unsigned short sum = s + t, product = s * 3u;
    short d = u / v, m = u % v;
    printf("%d %d %d %d\n", sum, product, d, m);
    return 0;
}
