int printf(const char *, ...);

static unsigned mix(unsigned seed, int rounds)
{
    unsigned state = seed;
    int round = 0;
again:
    if (round >= rounds)
        goto done;
    state = state * 1664525u + 1013904223u;
    if (state == 0) {
        state = 1;
        goto rescue;
    }
    if (state == 12345u) {
        unsigned i;
        for (i = 0; i < 4; i++)
            state ^= state >> i;
        goto rescue;
    }
    round++;
    goto again;
rescue:
    state |= 0x80000000u;
    round += 2;
    if (round < rounds)
        goto again;
done:
    return state;
}

int main(void)
{
    unsigned total = 0;
    int i;
    for (i = 1; i < 12; i++) {
        unsigned one = mix((unsigned)i * 77u, i);
        if (i > 20) {
            total = 0;
            continue;
        }
        total += one >> 3;
        if (total == one)
            break;
    }
    printf("%u\n", total);
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 910
//# 242-289 252-262 271-283 315-428 345-401 381-401 410-422 470-491
//# 496-507 512-551 540-551 732-788 746-756 769-778 854-860
