contract C {
    uint n;
    modifier m(uint x) { n += x; _; n *= 2; }
    function f(uint8 a) public m(a) m(1) returns (uint) { if (a > 100) return 3; n += 5; return n; }
    function g() public view returns (uint) { return n; }
}
