struct b a;
main() { a += *a; }
