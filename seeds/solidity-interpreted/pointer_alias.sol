contract C {
    uint[3] xs;
    function f(uint8 n) public returns (uint, uint) { uint[3] storage p = xs; p[n % 3] = 5; uint[3] memory m = p; p[n % 3] = 6; return (m[n % 3], xs[n % 3]); }
}
