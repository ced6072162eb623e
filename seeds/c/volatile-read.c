int printf(const char *, ...);

volatile int flag = 1, other = 2;

int main(void)
{
    int a = flag, b = other;
    flag = b;
    other = a + flag;
    a = other - b;
    printf("%d %d %d\n", a, b, flag);
    return 0;
}
