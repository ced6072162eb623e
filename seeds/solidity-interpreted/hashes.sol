contract C {
    function f(uint8 x, bytes2 y) public pure returns (bytes32) { return keccak256(abi.encodePacked(x, y)); }
    function g(uint16 x) public pure returns (bytes memory) { return abi.encode(x, true); }
}
