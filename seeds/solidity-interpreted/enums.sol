contract C {
    enum E { A, B, C } E e;
    function f(uint8 x) public returns (E) { e = E(x % 3); if (e == E.B) { e = E.C; } return e; }
    function g(uint8 x) public pure returns (E) { return E(x); }
}
