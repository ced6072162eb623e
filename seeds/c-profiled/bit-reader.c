int printf(const char *, ...);

struct reader {
    const unsigned char *bytes;
    unsigned length, at, held, bits;
    int failed;
};

static unsigned get(struct reader *r, unsigned count)
{
    unsigned value;
    if (count > 16) {
        r->failed = 2;
        return 0;
    }
    while (r->bits < count) {
        if (r->at >= r->length) {
            r->failed = 1;
            r->held <<= 8;
            r->bits += 8;
            continue;
        }
        r->held = (r->held << 8 | r->bytes[r->at]) & 0xffffffu;
        r->at++;
        r->bits += 8;
    }
    r->bits -= count;
    value = r->held >> r->bits & ((1u << count) - 1);
    if (r->failed) {
        value = 0;
        switch (r->failed) {
        case 1:
            value++;
            break;
        case 2:
            value += 2;
            /* fall through */
        default:
            value *= 3;
        }
    }
    return value;
}

int main(void)
{
    static const unsigned char bytes[6] = {0xa5, 0x1f, 0x80, 0x07, 0xc3, 0x3c};
    struct reader r;
    unsigned sum = 0, width;
    r.bytes = bytes;
    r.length = 6;
    r.at = 0;
    r.held = 0;
    r.bits = 0;
    r.failed = 0;
    for (width = 1; width < 9; width++) {
        unsigned value = get(&r, width);
        if (value >> width) {
            printf("wide %u\n", value);
            break;
        }
        sum = sum * 31 + value;
    }
    if (r.failed)
        printf("failed %d\n", r.failed);
    printf("%u %u\n", sum & 0xffffu, r.at);
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 1506
//# 233-281 243-257 266-275 344-457 358-372 385-399 412-425 438-447
//# 662-895 672-682 691-889 740-748 761-767 796-807 868-879 1278-1348
//# 1292-1319 1332-1338 1413-1445
