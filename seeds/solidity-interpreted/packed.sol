contract C {
    uint8 a; int64 b; bool c; uint128 d;
    function f(uint8 x, int64 y, uint128 z) public { a = x; b = y; c = !c; d = z; }
    function g() public view returns (uint8, int64, bool, uint128) { return (a, b, c, d); }
}
