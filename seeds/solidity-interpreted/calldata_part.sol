contract C {
    function f(uint[2][] calldata x) external returns (uint) { uint[2] memory m; if (x.length > 0) { m = x[0]; m[1] = 9; return x[0][1] + 1; } return m[1]; }
}
