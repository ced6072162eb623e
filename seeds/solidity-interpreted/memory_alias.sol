contract C {
    function change(uint[] memory xs) internal pure { if (xs.length > 0) { xs[0] = 42; } }
    function f(uint[] memory xs) public pure returns (uint[] memory) { uint[] memory ys = xs; change(ys); return xs; }
}
