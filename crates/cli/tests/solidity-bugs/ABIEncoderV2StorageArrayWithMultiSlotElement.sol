// bad solc@0.5.9:evm good solc@0.5.10:evm
pragma experimental ABIEncoderV2;

contract C {
    uint256[2][] rows;
    function put(uint256 left, uint256 right) public { rows.push([left, right]); }
    function all() public returns (bytes memory) { return abi.encode(rows); }
}
