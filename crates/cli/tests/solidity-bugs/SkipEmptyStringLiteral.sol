// bad solc@0.4.11:evm good solc@0.4.13:evm
contract C {
    function take(string text, uint256 number) public returns (uint256, uint256) { return (bytes(text).length, number); }
    function ask() public returns (uint256, uint256) { return this.pass("", 7); }
    function pass(string text, uint256 number) public returns (uint256 length, uint256 got) { return take(text, number); }
    uint256 public seen;
    function look() public { seen = number("", 5); }
    function number(string text, uint256 got) internal returns (uint256) { return got; }
}
