contract C {
    bool constant k = true;
    function f() public pure returns (bool) { return false || k; }
}
