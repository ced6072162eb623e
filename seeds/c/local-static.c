int printf(const char *, ...);

static int next(int by, int limit)
{
    static int state = 1, wraps = 0;
    state += by;
    if (state > limit) {
        state -= limit;
        wraps++;
    }
    return state * 10 + wraps;
}

int main(void)
{
    int a = 3, b = 7;
    int r = next(a, b), s = next(b, b), t = next(a, a);
    printf("%d %d %d\n", r, s, t);
    return 0;
}
