int printf(int *, ...);
main() { long e; printf("", e / e); }
