contract C {
    bool a; bool b; bool c;
    function f() public { (a, (b, c)) = (c, (c, c)); }
}
