struct { struct {} a; int b; } x = { {}, 1 };
