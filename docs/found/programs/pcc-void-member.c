struct S { void m; };
int j(struct S k) { return 0; }
