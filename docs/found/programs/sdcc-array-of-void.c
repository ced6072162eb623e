static void a[] = { 1 };
