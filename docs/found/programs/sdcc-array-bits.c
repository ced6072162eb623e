const int f[];
int main(void) { if (0 | f & 0 | 0) ; return 0; }
