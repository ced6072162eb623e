int printf(const char *, ...);

static int errors;

static int divide(int a, int b)
{
    if (b == 0) {
        errors++;
        if (a > 0)
            return 2147483647;
        if (a < 0)
            return -2147483647;
        return 0;
    }
    if (b == -1 && a < -2147483647) {
        errors += 2;
        return 2147483647;
    }
    return a / b;
}

static int rest(int a, int b)
{
    int quotient = divide(a, b);
    if (errors) {
        int i;
        for (i = 0; i < errors; i++)
            quotient ^= i;
        return quotient;
    }
    return a - quotient * b;
}

int main(void)
{
    int a, b, sum = 0;
    for (a = -9; a < 9; a += 2)
        for (b = 1; b < 5; b++) {
            int r = rest(a, b);
            if (r >= b || r <= -b) {
                printf("%d %d\n", a, b);
                return 1;
            }
            if (r < 0)
                r += b;
            sum = sum * 3 % 1009 + r;
        }
    printf("%d %d\n", sum, errors);
    return errors != 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 998
//# 102-246 112-121 130-171 153-171 180-222 203-222 231-240 283-338
//# 293-305 314-332 441-552 466-521 507-521 530-546 758-840 776-800
//# 817-826
