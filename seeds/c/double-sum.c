int printf(const char *, ...);

double x = 0.5, y = 0.25;

int main(void)
{
    double sum = 0, part = 1;
    for (int i = 0; i < 8; i++) {
        sum += part * x;
        part *= y;
    }
    printf("%.6f %.6f\n", sum, part + x);
    return 0;
}
