int printf(const char *, ...);

int grid[3][4];

int main(void)
{
    int sum = 0, trace = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            grid[i][j] = i * 4 + j;
    for (int i = 0; i < 3; i++) {
        sum += grid[i][i + 1];
        trace -= grid[i][i];
    }
    printf("%d %d\n", sum, trace);
    return 0;
}
