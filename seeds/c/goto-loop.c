int printf(const char *, ...);

int main(void)
{
    int i = 0, sum = 0, last = 0;
again:
    sum += i;
    last = i;
    i++;
    if (i < 6)
        goto again;
    printf("%d %d %d\n", i, sum, last);
    return 0;
}
