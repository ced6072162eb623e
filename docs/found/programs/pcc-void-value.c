void e = 1.0;
