contract C {
    uint16[2][3] xs;
    function f(uint8 i, uint8 j, uint16 v) public returns (uint16) { xs[i % 3][j % 2] = v; uint16[2][3] memory m = xs; m[0][0] = 1; return xs[i % 3][j % 2]; }
    function g() public view returns (uint16[2][3] memory) { return xs; }
}
