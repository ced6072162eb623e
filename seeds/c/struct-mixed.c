int printf(const char *, ...);

struct mixed { char c; double d; };
struct floats { float x, y, z; };
struct large { long a[5]; };

static struct mixed turn(struct mixed m, struct floats f)
{
    struct mixed r = { m.c + 1, m.d * f.y };
    return r;
}

static long add(struct large one, struct large two, struct mixed m)
{
    return one.a[4] + two.a[0] + m.c;
}

int main(void)
{
    struct mixed m = { 3, 1.5 }, n = m;
    struct floats f = { 1, 2, 3 };
    struct large p = { { 1, 2, 3, 4, 5 } }, q = p;
    q.a[0] = 40;
    n = turn(m, f);
    printf("%d %.1f %ld\n", n.c, n.d, add(p, q, n));
    return 0;
}
