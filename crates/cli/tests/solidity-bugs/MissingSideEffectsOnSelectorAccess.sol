// bad solc@0.8.20:evm good solc@0.8.21:evm
contract C {
    uint256 public count;
    function other() external {}
    function pick() public returns (bytes4) {
        return (count++ == 0 ? this.other : this.other).selector;
    }
}
