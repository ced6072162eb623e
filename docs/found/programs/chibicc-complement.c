int printf(const char *, ...);
int main(void) {
  unsigned short x = 22;
  printf("%d %d\n", ~x >> 1, (int)sizeof(~x));
  return 0;
}
