contract C {
    function f(bool a) public pure returns (bool) { return a && (true == false); }
}
