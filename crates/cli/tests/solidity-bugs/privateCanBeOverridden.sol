// bad solc@0.5.16 good solc@0.5.17
// oracle acceptance
contract Base {
    function own() private returns (uint256) { return 1; }
    function ask() public returns (uint256) { return own(); }
}
contract C is Base {
    function own() private returns (uint256) { return 2; }
}
