// bad solc@0.4.17:evm good solc@0.4.18:evm
contract C {
    uint256 public reached;
    function wycpnbqcyf() public payable { reached = 1; }
}
