int printf(const char *, ...);

struct flags { int a : 1, b : 1; unsigned c : 1; };

struct flags f = { -1, 0, 1 };

int main(void)
{
    struct flags g;
    int x = -1, y = 3;
    g = f;
    x = -1 ^ f.a;
    y = y ^ g.c;
    f.b = x | y;
    g.a = f.b & g.b;
    printf("%d %d %d %d\n", x, y, f.b, g.a);
    return 0;
}
