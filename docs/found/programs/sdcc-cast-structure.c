struct s { int b; } x;
int y = ((struct s *)x)->b;
