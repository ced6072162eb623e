int a[8], b;
int main(void) { if (b) return a[-982516856]; return 0; }
