int printf(const char *, ...);

int a, b = 3, c = 7;

int main(void)
{
    for (a = 0; a < c; a++) {
        b += a;
        if (b > 12)
            break;
    }
    printf("%d %d %d\n", a, b, c);
    return 0;
}
