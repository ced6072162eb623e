int q = { 3, 4 };
int main(void) { return 0; }
