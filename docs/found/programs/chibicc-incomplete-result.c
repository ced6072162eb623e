struct c f();
int main(void) { f(); return 0; }
