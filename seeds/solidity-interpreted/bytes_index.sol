contract C {
    function f(bytes4 x, uint8 i) public pure returns (bytes1) { return x[i]; }
    function g(bytes memory b, uint8 i) public pure returns (bytes1) { return b[i]; }
}
