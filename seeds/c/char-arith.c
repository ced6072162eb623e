int printf(const char *, ...);

signed char a = 100, b = -3;
unsigned char c = 200, d = 9;

int main(void)
{
    int r = a + b, s = c + d;
    unsigned char w = c + d;
    signed char n = b / 2;
    printf("%d %d %d %d\n", r, s, w, n);
    return 0;
}
