contract C {
    event Told(string indexed a, string b);
    function f(string memory t) public { emit Told(t, t); }
}
