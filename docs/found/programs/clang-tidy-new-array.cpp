void *f() { return new int[](); }
