// bad solc@0.5.5:evm-optimize good solc@0.5.6:evm-optimize
contract C {
    function twice(uint256 number) public returns (uint256 got) {
        assembly {
            got := shl(0x8000000000000000000000000000000000000000000000000000000000000000,
                shl(0x8000000000000000000000000000000000000000000000000000000000000000, number))
        }
    }
}
