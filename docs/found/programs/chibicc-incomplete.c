main(struct a m) {}
