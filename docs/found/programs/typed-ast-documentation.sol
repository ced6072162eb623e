contract C {
    /// @dev it takes
    /// @param a a number
    function f(uint a) public {}
}
