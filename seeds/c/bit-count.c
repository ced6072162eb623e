int printf(const char *, ...);

static int count(unsigned word)
{
    int ones = 0, zeros = 0;
    for (int bit = 0; bit < 32; bit++) {
        if (word >> bit & 1)
            ones++;
        else
            zeros++;
    }
    return ones - zeros;
}

int main(void)
{
    unsigned p = 0xf0f0f0f1u, q = 12345u;
    printf("%d %d\n", count(p), count(q));
    return 0;
}
