contract C {
    function f(int8 a, int8 b) public pure returns (int8) { return a / b; }
    function g(int8 a, int8 b) public pure returns (int8) { return a % b; }
    function h(int8 a) public pure returns (int8) { return a >> 1; }
}
