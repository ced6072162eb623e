contract C {
    uint n;
    event Told(uint a, uint indexed b);
    function f() public { emit Told(n, ++n); }
    function g() public view returns (uint) { return n; }
}
