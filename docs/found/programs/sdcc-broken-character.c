int f(void) { return L'é'; }
