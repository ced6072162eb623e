int a = s(0) + 0;
