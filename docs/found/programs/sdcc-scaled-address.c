int b; void a(void) { *(int *)(0xE0000000 * b) = 0; }
