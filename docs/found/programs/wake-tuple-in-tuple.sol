contract C {
    function f() public pure returns (uint a, uint b, uint c) {
        (a, (b, c)) = (1, (2, 3));
    }
}
