struct { struct { struct { int x; } d; } e; } b = { .e.d.a.i = 8, .e.d.a.j = 3 };
