int printf(const char *, ...);

int a = 1, b = 2;

int main(void)
{
    int c = a, d = b;
    {
        int e = c + d, f = c - d;
        if (e > f) {
            int g = e * f;
            d = g + a;
        }
        c = e - b;
    }
    printf("%d %d %d\n", c, d, a);
    return 0;
}
