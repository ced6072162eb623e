int printf(const char *, ...);

struct point { int x, y; long z; };

struct point p = { .z = 7, .x = 1 };
int v[6] = { [4] = 9, [1] = 2, 3 };

int main(void)
{
    struct point q = { .y = v[1], .x = v[4] }, r = q;
    int a = v[2], b = v[5];
    r.y += a;
    q.x -= b;
    printf("%d %d %ld %d\n", r.y, q.x, p.z + r.z, a + b);
    return 0;
}
