int printf(const char *, ...);

struct pair { short a; int b; };

struct pair p = { 1, 2 }, q = { 3, 4 };

int main(void)
{
    int c = 0, d = 1;
    struct pair r = c ? p : q, s = d ? p : q;
    r.b += (d ? p : r).b;
    s.a = (c ? r : s).a + d;
    printf("%d %d %d %d\n", r.a, r.b, s.a, s.b);
    return 0;
}
