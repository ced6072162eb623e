// bad solc@0.6.5:evm good solc@0.6.6:evm
contract C {
    function left() external returns (uint256) { return 1; }
    function right() external returns (uint256) { return 2; }
    function swapped() public returns (uint256, uint256, uint256) {
        function () external returns (uint256) one = this.left;
        function () external returns (uint256) two = this.right;
        uint256 three = 3;
        (one, three, two) = (two, 4, one);
        return (one(), two(), three);
    }
    function nested() public returns (uint256, uint256, uint256) {
        uint256 one; uint256 two; uint256 three;
        ((one, two), three) = ((1, 2), 3);
        return (one, two, three);
    }
}
