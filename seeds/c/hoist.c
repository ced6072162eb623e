int printf(const char *, ...);

static int work(int n, int m, int k)
{
    int total = 0, step = 0;
    for (int i = 0; i < 4; i++) {
        step = m * k + n;
        total += step - i;
    }
    return total + step;
}

int main(void)
{
    int a = 2, b = 3, c = 4;
    printf("%d %d\n", work(a, b, c), work(c, a, b));
    return 0;
}
