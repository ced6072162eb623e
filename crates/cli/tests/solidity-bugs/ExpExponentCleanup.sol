// bad solc@0.4.24:evm good solc@0.4.25:evm
contract C {
    function power(uint8 base, uint8 low, uint8 more) public returns (uint8) {
        return base ** (low + more);
    }
}
