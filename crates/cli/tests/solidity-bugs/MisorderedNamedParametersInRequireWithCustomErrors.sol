// bad solc@0.8.30:evm-via-ir good solc@0.8.37:evm-via-ir
contract C {
    error Wrong(uint256 first, uint256 second);
    function check(uint256 number) public pure {
        require(number > 9, Wrong({second: number, first: 1}));
    }
}
