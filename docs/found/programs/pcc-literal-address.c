struct S { int s; };
int *const v[1] = { &((struct S){ .s = 42 }).s };
