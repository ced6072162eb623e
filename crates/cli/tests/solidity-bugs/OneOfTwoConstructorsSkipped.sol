// bad solc@0.4.22 good solc@0.4.23
// oracle acceptance
contract C {
    uint256 public kept;
    constructor() public { kept = 1; }
    function C() public { kept += 2; }
}
