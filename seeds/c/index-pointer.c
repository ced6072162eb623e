int printf(const char *, ...);

int data[5] = { 10, 20, 30, 40, 50 };

int main(void)
{
    int *p = data, *q = data + 4;
    int i = 1, j = 2;
    int r = p[i] + *(q - j), s = (int) (q - p);
    *p = r;
    printf("%d %d %d\n", r, s, data[0]);
    return 0;
}
