void f<>(struct { int a; } *) {}
