int printf(const char *, ...);

static int calls;

static int note(int value)
{
    calls++;
    return value;
}

int main(void)
{
    int a = 1, b = 0, c = 2;
    int r = (note(a) && note(b)) || !note(c);
    int s = note(b) ? a : c;
    printf("%d %d %d\n", r, s, calls);
    return r + s;
}
