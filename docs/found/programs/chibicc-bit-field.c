struct b { int a : 32; };
struct b v;
main() { v.a = 3; }
