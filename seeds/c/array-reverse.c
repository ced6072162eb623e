int printf(const char *, ...);

int v[6] = { 3, 1, 4, 1, 5, 9 };

int main(void)
{
    int i = 0, j = 5, k = 0;
    while (i < j) {
        int t = v[i];
        v[i] = v[j];
        v[j] = t;
        i++;
        j--;
    }
    for (k = 0; k < 6; k++)
        printf("%d ", v[k]);
    printf("\n");
    return 0;
}
