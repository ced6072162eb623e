contract C {
    uint[2] xs;
    function g(uint[2] memory m, uint y) internal pure returns (uint) { return m[0] + y; }
    function bump() internal returns (uint) { xs[0] += 1; return xs[0]; }
    function f() public returns (uint) { return g(xs, bump()); }
    function h() public returns (uint) { uint y = bump(); return g(xs, y); }
}
