int y;
int y {}
