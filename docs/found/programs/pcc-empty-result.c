struct s { };
struct s a(void) { struct s x; return x; }
