template<class T> void g(T) { [](struct c *) {}; }
template void g(int);
