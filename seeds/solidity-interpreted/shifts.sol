contract C {
    function f(uint16 a, uint8 b) public pure returns (uint16) { return a << b; }
    function g(int16 a, uint8 b) public pure returns (int16) { return a >> b; }
}
