contract C {
    uint a; uint b;
    function two(uint x) internal pure returns (uint, uint) { return (x, x + 1); }
    function f(uint8 x) public returns (uint, uint) { (a, b) = two(x); (a, b) = (b, a); (, uint c) = two(a); return (c, b); }
}
