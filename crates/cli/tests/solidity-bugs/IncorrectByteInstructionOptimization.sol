// bad solc@0.5.6:evm-optimize good solc@0.5.7:evm-optimize
contract C {
    function byteOf(uint256 at) public returns (uint256 got) {
        assembly { got := byte(at, 31) }
    }
}
