contract C {
    uint[2] xs;
    event Told(uint[2] a, uint b);
    function f() public { emit Told(xs, 5); xs[0]++; emit Told(xs, xs[0]); }
}
