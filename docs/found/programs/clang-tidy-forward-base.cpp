template<class T> struct A { struct B; struct C : B {}; };
template<> struct A<int>::B {};
A<int>::C c;
