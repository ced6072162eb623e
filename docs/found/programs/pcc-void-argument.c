void a(void) {}
int p();
int main(void) { p(a()); }
