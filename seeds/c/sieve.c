int printf(const char *, ...);

char crossed[32];

int main(void)
{
    int found = 0, last = 0;
    for (int i = 2; i < 32; i++) {
        if (crossed[i])
            continue;
        found++;
        last = i;
        for (int j = i + i; j < 32; j += i)
            crossed[j] = 1;
    }
    printf("%d %d\n", found, last);
    return 0;
}
