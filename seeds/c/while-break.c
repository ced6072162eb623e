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
