contract C {
    struct S { uint8 a; int16 b; bool c; }
    mapping(uint8 => S) m;
    function f(uint8 k, uint8 a, int16 b) public returns (int16) { m[k].a = a; m[k].b = b; m[k].c = a > 3; S memory s = m[k]; s.b = 1; return m[k].b; }
}
