// bad solc@0.8.30:evm good solc@0.8.37:evm
// bad solc@0.8.30:evm-via-ir good solc@0.8.37:evm-via-ir
contract C {
    struct Row { uint256[12] all; }
    function row() internal pure returns (Row storage found) {
        assembly { found.slot := sub(0, 4) }
    }
    function put() public { for (uint256 i = 0; i < 12; i++) row().all[i] = i + 1; }
    function clear() public { delete row().all; }
    function at(uint256 i) public view returns (uint256) { return row().all[i]; }
}
