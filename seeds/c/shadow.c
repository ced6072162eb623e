int printf(const char *, ...);

int x = 1, y = 2;

int main(void)
{
    int r = x + y;
    {
        int x = 10, z = y;
        r += x * z;
        {
            int y = 100;
            r -= y + x;
        }
    }
    printf("%d %d %d\n", r, x, y);
    return 0;
}
