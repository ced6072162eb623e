int printf(const char *, ...);
int main(void) {
  struct { unsigned v : 20; } s = {0};
  printf("%d\n", s.v >= -1);
  return 0;
}
