typedef int A[3];
struct { A c : 3; } h;
int main(void) { return h.c; }
