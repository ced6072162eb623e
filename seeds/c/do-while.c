int printf(const char *, ...);

int main(void)
{
    unsigned n = 27, steps = 0, top = 0;
    do {
        if (n > top)
            top = n;
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    } while (n != 1 && steps < 200);
    printf("%u %u %u\n", n, steps, top);
    return 0;
}
