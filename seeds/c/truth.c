int printf(const char *, ...);

_Bool p = 1, q;

static _Bool differ(_Bool x, _Bool y)
{
    return x != y;
}

int main(void)
{
    int n = 256, k = 3;
    _Bool r = n, s = !r;
    p = differ(r, q);
    q = p + r;
    s = k & 4;
    printf("%d %d %d %d\n", p, q, r, s);
    return 0;
}
