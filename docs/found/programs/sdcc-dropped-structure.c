struct S { char a; } f(void);
void g(void) { f(); }
