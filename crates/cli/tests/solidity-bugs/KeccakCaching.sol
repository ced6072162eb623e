// bad solc@0.8.2:evm-no-yul good solc@0.8.3:evm-no-yul
contract C {
    function both(uint256 given) public pure returns (bool same) {
        assembly {
            mstore(0, given)
            let short := keccak256(0, 23)
            let long := keccak256(0, 32)
            same := eq(short, long)
        }
    }
}
