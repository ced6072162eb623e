// bad solc@0.4.21:evm good solc@0.4.22:evm
contract C {
    function table() public returns (uint256[2][3]) {
        uint256[2][3] memory made;
        for (uint256 i = 0; i < 3; i++) { made[i][0] = 10 * i + 1; made[i][1] = 10 * i + 2; }
        return made;
    }
    function corner() public returns (uint256 first, uint256 last, uint256 next) {
        uint256[2][3] memory got = this.table();
        uint256[] memory other = new uint256[](6);
        for (uint256 i = 0; i < 6; i++) { other[i] = 99; }
        return (got[0][1], got[2][1], other[5]);
    }
}
