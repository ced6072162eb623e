struct A { template<int> static constexpr decltype([]{}) h = 0; };
template<int> struct K { static void n() { A::h<0>; } };
void p() { K<0>::n(); }
