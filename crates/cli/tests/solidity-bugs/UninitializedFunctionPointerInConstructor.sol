// bad solc@0.5.7:evm good solc@0.5.8:evm
// bad solc@0.4.25:evm good solc@0.4.26:evm
contract C {
    uint256 public kept;
    constructor() public {
        function() internal unset;
        kept = 1;
        unset();
        kept = 2;
    }
}
