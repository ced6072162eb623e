struct c { int a : 1; };
struct c f;
main() { -1 ^ f.a; }
