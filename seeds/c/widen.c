/* Values pass through types of other widths and signs on their way. */
int printf(const char *, ...);

static int by_short(signed char up, signed char down)
{
    return (unsigned short) up + down;
}

static int by_char(short up, short down)
{
    return (unsigned char) up - (signed char) down;
}

static long by_int(int up, int down)
{
    return (unsigned) up / 3 + (long) down;
}

int main(void)
{
    signed char small = 100, low = -100;
    short wide = 300, deep = -300;
    int large = 70000, far = -70000;
    printf("%d\n", by_short(small, low));
    printf("%d\n", by_char(wide, deep));
    printf("%ld\n", by_int(large, far));
    return 0;
}
