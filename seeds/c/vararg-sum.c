#include <stdarg.h>
int printf(const char *, ...);

static int sum(int count, ...)
{
    int total = 0, last = 0;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        last = va_arg(list, int);
        total += last;
    }
    va_end(list);
    return total - last;
}

int main(void)
{
    int a = 4, b = 6, c = 1;
    printf("%d %d\n", sum(3, a, b, c), sum(2, c, a));
    return 0;
}
