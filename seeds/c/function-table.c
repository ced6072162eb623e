int printf(const char *, ...);

static int add(int x, int y) { return x + y; }
static int sub(int x, int y) { return x - y; }
static int mul(int x, int y) { return x * y; }

int (*table[3])(int, int) = { add, sub, mul };

int main(void)
{
    int i, a = 6, b = 4, all = 0;
    for (i = 0; i < 3; i++) {
        int one = table[i](a, b), two = (i ? mul : sub)(b, a);
        all = all * 3 + one - two;
    }
    printf("%d %d\n", all, i);
    return 0;
}
