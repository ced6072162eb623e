int printf(const char *, ...);

int main(void)
{
    int low = 0, high = 100, target = 37, tries = 0;
    while (low < high) {
        int mid = (low + high) / 2;
        tries++;
        if (tries > 20)
            break;
        if (mid < target)
            low = mid + 1;
        else
            high = mid;
    }
    printf("%d %d %d\n", low, high, tries);
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 379
//# 216-222
