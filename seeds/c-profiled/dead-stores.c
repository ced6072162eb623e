int printf(const char *, ...);

static int limits[3] = {10, 100, 1000};
static volatile int asked;

static int clamp(int value, int level)
{
    int high, low;
    if (level < 0 || level > 2) {
        level = 0;
        limits[0]++;
    }
    high = limits[level];
    low = -high;
    if (asked) {
        high /= 2;
        low = 0;
        limits[level] = high;
    }
    if (value > high)
        value = high;
    else if (value < low)
        value = low;
    else if (asked > 1)
        while (value > 0 && value % 3)
            value--;
    return value;
}

static int total(const int *values, int count)
{
    int sum = 0, i, level = 0;
    for (i = 0; i < count; i++) {
        int one = clamp(values[i], level);
        if (one != values[i])
            level++;
        sum += one;
        if (sum > 100000) {
            sum -= 100000;
            level = 2;
        }
    }
    return sum;
}

int main(void)
{
    static const int values[6] = {3, 15, -40, 99, 800, -5000};
    int sum = total(values, 6);
    if (limits[0] != 10) {
        int i;
        for (i = 0; i < 3; i++)
            printf("%d\n", limits[i]);
        return 2;
    }
    printf("%d\n", sum);
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 1199
//# 192-239 202-212 221-233 298-371 308-318 327-335 344-365 495-546
//# 538-546 822-883 836-850 863-873 1046-1157 1071-1133 1107-1133 1142-1151
