int printf(const char *, ...);

int main(void)
{
    const int five = 5, seven = 7;
    int a = five * seven, b = seven % five;
    int c = a / five - b;
    if (c == seven)
        a = b;
    printf("%d %d %d\n", a, b, c);
    return 0;
}
