contract C {
    uint8[] xs;
    function f(uint8 x) public returns (uint) { xs.push(x); if (xs.length > 3) { delete xs; } return xs.length; }
    function g(uint8 i) public view returns (uint8) { return xs[i]; }
}
