// bad solc@0.6.5:evm good solc@0.6.6:evm
contract C {
    function f() external {}
    function omit() public returns (uint256 kept, uint256 other) {
        other = 9;
        (kept, ) = (4, this.f);
    }
    function nested() public returns (uint256 kept, uint256 other) {
        other = 9;
        (kept, ) = (4, (8, 16, 32));
    }
    function data(bytes calldata text) external returns (uint256 kept, uint256 other) {
        other = 9;
        (kept, ) = (5, text);
    }
}
