contract C {
    uint[][] xs;
    function f() public returns (uint) { xs.push(); uint[] storage p = xs[0]; xs.pop(); p.push(1); return p.length; }
    function g() public view returns (uint) { return xs.length; }
}
