int printf(const char *, ...);

static int length(const char *s, const char *t)
{
    int n = 0, m = 0;
    while (s[n])
        n++;
    while (t[m] && t[m] == s[m])
        m++;
    return n * 10 + m;
}

int main(void)
{
    const char *a = "touch", *b = "tour";
    printf("%d %d\n", length(a, b), length(b, a));
    return 0;
}
