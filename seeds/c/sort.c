int printf(const char *, ...);

int v[5] = { 5, 2, 8, 1, 9 };

int main(void)
{
    int i, j, n = 5;
    for (i = 1; i < n; i++) {
        int key = v[i];
        for (j = i - 1; j >= 0 && v[j] > key; j--)
            v[j + 1] = v[j];
        v[j + 1] = key;
    }
    printf("%d %d %d %d %d\n", v[0], v[1], v[2], v[3], v[4]);
    return 0;
}
