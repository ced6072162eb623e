int printf(const char *, ...);

int main(void)
{
    int a = 1, b = 2;
    int *p = &a, *q = &b, *t;
    t = p;
    p = q;
    q = t;
    *p = 5;
    *q += *p;
    printf("%d %d\n", a, b);
    return 0;
}
