enum f; struct f { int x; } e;
