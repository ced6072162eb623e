int main(void) { b: goto *&&b; return 0; }
