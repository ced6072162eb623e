// bad solc@0.4.21:evm good solc@0.8.20:evm
contract C {
    function rows() public returns (uint256[2][2] memory got) {
        got[0][0] = 1;
        got[0][1] = 2;
        got[1][0] = 3;
        got[1][1] = 4;
    }
    function get() public returns (uint256, uint256, uint256) {
        uint256[2][2] memory got = this.rows();
        uint256[3] memory more;
        more[0] = 9;
        return (got[1][0], got[1][1], more[0]);
    }
}
