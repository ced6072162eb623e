template<int> struct S { template<class T> static void f; template<class T> static int f<T*>; };
int *p = &S<1>::f<int*>;
