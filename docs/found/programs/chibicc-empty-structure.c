struct s {}; void j(struct s);
void l(void) { struct s n; j(n); }
