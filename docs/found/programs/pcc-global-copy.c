struct S { int a; } b;
struct S s = b;
