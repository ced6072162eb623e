contract C {
    struct S { uint a; uint[2] b; } S s;
    function f(uint8 x) public returns (uint, uint) { s.b[1] = x; S memory m = s; m.b[1] = 3; S memory o = m; o.b[0] = 4; return (s.b[1], m.b[0]); }
}
