contract C {
    function f(uint8 x, int8 y) public pure returns (int16) { return x > 5 ? int16(y) : -2; }
    function g(bool p, bool q) public pure returns (bool) { return p && !q || q; }
}
