// bad solc@0.5.9:evm good solc@0.5.10:evm
contract C {
    int16[4] wide;
    function put(int8 each) public {
        int8[4] memory narrow;
        for (uint256 i = 0; i < 4; i++) { narrow[i] = each; }
        wide = narrow;
    }
    function at(uint256 i) public returns (int16) { return wide[i]; }
}
