print(-1 << 3);
