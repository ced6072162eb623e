int printf(const char *, ...);

#define N 4

static double work[N][N];
static int swaps;

static int reduce(int size)
{
    int row, column, k;
    if (size > N) {
        swaps = -1;
        return -1;
    }
    for (column = 0; column < size; column++) {
        if (work[column][column] == 0) {
            for (row = column + 1; row < size; row++)
                if (work[row][column] != 0)
                    break;
            if (row == size)
                return column;
            for (k = 0; k < size; k++) {
                double held = work[column][k];
                work[column][k] = work[row][k];
                work[row][k] = held;
            }
            swaps++;
        }
        for (row = column + 1; row < size; row++) {
            double factor = work[row][column] / work[column][column];
            if (factor == 0)
                continue;
            for (k = column; k < size; k++)
                work[row][k] -= factor * work[column][k];
        }
    }
    return size;
}

int main(void)
{
    double product = 1;
    int i, j, rank;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            work[i][j] = i == j ? 8 : (i + 2 * j) % 4;
    rank = reduce(N);
    if (rank < N) {
        printf("rank %d\n", rank);
        for (i = rank; i < N; i++)
            for (j = 0; j < N; j++)
                if (work[i][j] > 1 || work[i][j] < -1)
                    product = 0;
    }
    for (i = 0; i < N; i++)
        product *= work[i][i];
    if (swaps & 1)
        product = -product;
    printf("%.3f\n", product);
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 1587
//# 162-208 172-183 192-202 296-700 310-422 368-422 416-422 435-482
//# 468-482 495-669 522-669 587-618 635-655 682-690 868-877 1232-1433
//# 1242-1268 1277-1427 1316-1427 1356-1427 1415-1427 1520-1539
