contract C {
    function f(uint8 n) public pure returns (uint) { uint s = 0; uint i = 0; do { i++; if (i % 2 == 0) continue; s += i; } while (i < n % 7); return s; }
}
