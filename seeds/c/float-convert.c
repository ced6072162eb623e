int printf(const char *, ...);

float f = 1.5f, g = -2.25f;

int main(void)
{
    int i = f + g, j = f * g;
    float h = i - j;
    f = h / 2;
    printf("%d %d %.3f %.3f\n", i, j, f, h);
    return 0;
}
