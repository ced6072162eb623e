// bad solc@0.8.14:evm-optimize good solc@0.8.15:evm-optimize
contract C {
    function kept(uint256 number) public pure returns (uint256 got) {
        assembly { mstore(0, 0x42) }
        assembly { got := mload(0) }
    }
}
