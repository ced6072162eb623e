contract C {
    struct S { uint a; mapping(uint => uint) m; } S s; uint[4] xs;
    function f(uint8 x) public returns (uint, uint) { s.a = x; s.m[1] = x; xs[2] = x; delete s; delete xs[2]; return (s.a, s.m[1]); }
}
