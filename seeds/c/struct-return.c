int printf(const char *, ...);

struct big { long v[4]; };

static struct big fill(long from, long by)
{
    struct big r;
    for (int i = 0; i < 4; i++)
        r.v[i] = from + by * i;
    return r;
}

int main(void)
{
    long a = 5, b = -2;
    struct big p = fill(a, b), q = fill(b, a);
    printf("%ld %ld\n", p.v[3], q.v[2]);
    return 0;
}
