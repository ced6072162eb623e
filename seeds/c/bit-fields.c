int printf(const char *, ...);

struct bits { unsigned low : 3, mid : 11; signed high : 5; };

struct bits one = { 5, 1000, -7 }, two = { 2, 77, 9 };

int main(void)
{
    struct bits x = one, y = two;
    x.low += y.mid;
    y.high = x.high + 2;
    one = y;
    printf("%u %u %d %u\n", x.low, y.mid, y.high, one.low);
    return 0;
}
