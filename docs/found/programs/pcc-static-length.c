void b(int i) { static int a[i]; }
