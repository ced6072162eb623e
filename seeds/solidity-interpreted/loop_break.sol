contract C {
    function f(uint8 n) public pure returns (uint) { uint s = 0; while (true) { s++; if (s > n) break; } return s; }
}
