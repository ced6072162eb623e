int printf();

int scale(x, y)
    int x, y;
{
    register int r = x, s = y;
    r = r * 3 + s;
    return r - x;
}

int main()
{
    int a = 4, b = 5;
    printf("%d %d\n", scale(a, b), scale(b, a));
    return 0;
}
