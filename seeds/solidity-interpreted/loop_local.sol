contract C {
    function f(uint8 n) public pure returns (uint) { uint s = 0; for (uint8 i = 0; i < n % 5; i++) { uint k; k = k + 1; s = s + k; } return s; }
}
