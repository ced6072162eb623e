contract C {
    function f(uint[] calldata x) external returns (uint, uint) { uint[] memory m = x; if (m.length > 0) { m[0] = 7; return (m[0], x[0]); } return (x.length, 1); }
}
