int printf(const char *, ...);

static int compares;

static int less(int a, int b, int mode)
{
    compares++;
    if (mode == 1)
        return a > b;
    if (mode == 2) {
        unsigned x = (unsigned)a, y = (unsigned)b;
        if ((x & 1) != (y & 1))
            return (x & 1) < (y & 1);
        return x < y;
    }
    return a < b;
}

static void order(int *items, int count, int mode, int depth)
{
    int pivot, i, end;
    if (count < 2)
        return;
    if (depth > 20) {
        for (i = 1; i < count; i++) {
            int held = items[i], at = i;
            while (at > 0 && less(held, items[at - 1], mode)) {
                items[at] = items[at - 1];
                at--;
            }
            items[at] = held;
        }
        return;
    }
    pivot = items[count / 2];
    items[count / 2] = items[count - 1];
    end = 0;
    for (i = 0; i < count - 1; i++)
        if (less(items[i], pivot, mode)) {
            int held = items[i];
            items[i] = items[end];
            items[end++] = held;
        }
    items[count - 1] = items[end];
    items[end] = pivot;
    order(items, end, mode, depth + 1);
    order(items + end + 1, count - end - 1, mode, depth + 1);
}

int main(void)
{
    int items[12], i, sum = 0;
    for (i = 0; i < 12; i++)
        items[i] = (i * 7 + 3) % 13;
    order(items, 12, 0, 0);
    for (i = 0; i < 12; i++) {
        if (i > 0 && items[i] < items[i - 1]) {
            printf("order %d\n", i);
            order(items, 12, 1, 0);
            i = 0;
        }
        sum += i * items[i];
    }
    printf("%d %d\n", sum, compares);
    return compares == 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 1634
//# 139-152 172-322 233-294 269-294 303-316 486-771 496-749 524-749
//# 579-709 629-709 647-673 690-695 722-739 758-765 1429-1532 1443-1467
//# 1480-1503 1516-1522
