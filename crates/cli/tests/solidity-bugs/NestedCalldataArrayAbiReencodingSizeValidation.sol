// bad solc@0.8.13:evm good solc@0.8.14:evm
contract C {
    function again(uint256[][] calldata rows) external pure returns (bytes memory) { return abi.encode(rows); }
    function send(uint256 length) public returns (bool, bytes memory) {
        bytes memory data = abi.encodePacked(this.again.selector, uint256(32), uint256(1), uint256(32), length);
        return address(this).call(data);
    }
}
