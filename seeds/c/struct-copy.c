int printf(const char *, ...);

struct point { int x, y; char name[4]; };

struct point a = { 1, 2, "a" }, b = { 3, 4, "b" };

int main(void)
{
    struct point c = a, d = b;
    c.x += d.y;
    d = c;
    a = d;
    d.name[0] = 'd';
    printf("%d %d %s %s\n", a.x, d.y, a.name, d.name);
    return 0;
}
