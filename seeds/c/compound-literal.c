int printf(const char *, ...);

struct pair { int first, second; };

static int dot(struct pair p, struct pair q)
{
    return p.first * q.first + p.second * q.second;
}

int main(void)
{
    int a = 2, b = 3, c = 5;
    struct pair p = { a, b };
    int r = dot(p, (struct pair) { .second = c, .first = b });
    int *v = (int[]) { a, b, c };
    printf("%d %d\n", r, v[1]);
    return 0;
}
