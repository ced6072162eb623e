int printf(const char *, ...);

struct wide { unsigned a : 32, b : 17; unsigned long c : 40; };

struct wide w = { 5, 77, 1000 }, v;

int main(void)
{
    unsigned x = 3, y = 9;
    v.a = x;
    v.b = w.b + y;
    v.c = w.c * x;
    w = v;
    printf("%u %u %lu %u\n", w.a, v.b, (unsigned long)w.c, x - y);
    return 0;
}
