// bad solc@0.8.3:evm good solc@0.8.4:evm
contract C {
    function rows() public pure returns (uint256[][] memory) {
        bytes memory data = abi.encode(uint256(32), uint256(1), type(uint256).max - 31);
        return abi.decode(data, (uint256[][]));
    }
}
