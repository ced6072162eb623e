int printf(const char *, ...);

unsigned a = 1, b = 2, c = 3;

int main(void)
{
    unsigned x = a, y = b;
    x += y * c;
    y = x - a;
    c ^= y;
    printf("%u %u %u\n", x, y, c);
    return 0;
}
