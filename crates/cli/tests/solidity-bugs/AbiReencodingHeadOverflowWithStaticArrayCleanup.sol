// bad solc@0.8.15:evm good solc@0.8.16:evm
contract C {
    function again(bytes memory text, uint256[2] calldata pair) external pure returns (bytes memory) {
        return abi.encode(text, pair);
    }
}
