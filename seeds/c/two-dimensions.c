int printf(const char *, ...);

int m[3][4], n[4][3];

int main(void)
{
    int i, j, sum = 0;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 4; j++)
            m[i][j] = i * 4 + j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 4; j++)
            n[j][i] = m[i][j];
    for (i = 0; i < 3; i++)
        sum += m[i][i] - n[i][i] + n[3][i];
    printf("%d %d %d\n", sum, i, j);
    return 0;
}
