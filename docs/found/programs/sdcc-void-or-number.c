void i(int a) { a ? (void)0 : (p("x"), 1); }
