int printf(const char *, ...);

int main(void)
{
    int a = 1, b = 2, c;
    c = (a += b, b -= 1, a * b);
    for (int i = 0, j = 3; i < j; i++, j--)
        c += (i, j);
    printf("%d %d %d\n", a, b, c);
    return 0;
}
