int g(x);
void a(int n) {}
