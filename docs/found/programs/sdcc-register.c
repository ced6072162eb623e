void a(void) { register struct { int c; } b = {1}; }
