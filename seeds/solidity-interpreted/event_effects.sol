contract C {
    uint n;
    event Told(uint a, uint indexed b, uint c);
    function bump() internal returns (uint) { n = n + 1; return n; }
    function f() public { emit Told(1, bump(), 2); emit Told(bump(), 3, 4); }
}
