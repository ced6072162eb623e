int printf(const char *, ...);

union view { unsigned word; unsigned char bytes[4]; };

int main(void)
{
    union view a, b;
    unsigned sum = 0, folded = 0;
    a.word = 0x01020304u;
    b.word = a.word * 2;
    for (int i = 0; i < 4; i++) {
        sum += a.bytes[i];
        folded ^= b.bytes[i];
    }
    printf("%u %u\n", sum, folded);
    return 0;
}
