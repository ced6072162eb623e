int printf(const char *, ...);

enum state { START, SIGN, DIGITS, POINT, BAD };

static int scan(const char *text, long *value)
{
    enum state state = START;
    long sign = 1, sum = 0;
    int places = 0;
    for (; *text; text++) {
        char c = *text;
        switch (state) {
        case START:
            if (c == '-') {
                sign = -1;
                state = SIGN;
            } else if (c == '+') {
                state = SIGN;
            } else if (c >= '0' && c <= '9') {
                sum = c - '0';
                state = DIGITS;
            } else {
                state = BAD;
            }
            break;
        case SIGN:
        case DIGITS:
            if (c == '.') {
                if (state == SIGN)
                    state = BAD;
                else
                    state = POINT;
            } else if (c >= '0' && c <= '9') {
                sum = sum * 10 + (c - '0');
                state = DIGITS;
            } else {
                state = BAD;
            }
            break;
        case POINT:
            if (c < '0' || c > '9') {
                state = BAD;
            } else {
                sum = sum * 10 + (c - '0');
                places++;
            }
            break;
        case BAD:
            return -1;
        }
        if (places > 6) {
            sum /= 10;
            places--;
        }
    }
    if (state == BAD || state == SIGN) {
        *value = 0;
        return -1;
    }
    while (places < 2) {
        sum *= 10;
        places++;
    }
    *value = sign * sum;
    return places;
}

int main(void)
{
    const char *texts[4];
    long value = 0;
    int i;
    texts[0] = "12";
    texts[1] = "-7.5";
    texts[2] = "300.25";
    texts[3] = "0";
    for (i = 0; i < 4; i++) {
        int places = scan(texts[i], &value);
        if (places < 0)
            printf("bad\n");
        else
            printf("%ld %d\n", value, places);
    }
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 1969
//# 423-468 441-454 584-628 602-614 771-783 982-1026 1000-1012 1102-1146
//# 1120-1132 1287-1297 1332-1388 1346-1356 1369-1378 1434-1480 1444-1455 1464-1474
//# 1870-1886
