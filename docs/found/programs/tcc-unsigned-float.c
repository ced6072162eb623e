int f(unsigned float y) { switch (y) { case 2: return 1; } return 0; }
