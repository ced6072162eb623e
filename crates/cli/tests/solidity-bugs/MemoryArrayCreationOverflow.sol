// bad solc@0.6.4:evm good solc@0.6.5:evm
contract C {
    function make(uint256 length) public returns (uint256, uint256) {
        uint256[] memory many = new uint256[](length);
        uint256[] memory few = new uint256[](3);
        few[0] = 7;
        return (many.length, few[0]);
    }
}
