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
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 240
//# 182-188
