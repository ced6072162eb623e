int printf(const char *, ...);

int main(void)
{
    int a = 0, b = 1, c = 2;
    for (int i = 0; i < 5; i++)
        switch (i) {
        case 0: a += 1;
        case 1: b += a; break;
        case 3: c -= b;
        default: a += c;
        }
    printf("%d %d %d\n", a, b, c);
    return 0;
}
