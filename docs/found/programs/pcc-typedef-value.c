void b(void) { typedef int a = {}; }
