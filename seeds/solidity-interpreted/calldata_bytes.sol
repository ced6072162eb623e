contract C {
    bytes kept;
    function f(bytes calldata x) external returns (uint) { bytes memory m = x; kept = x; if (m.length > 0) { m[0] = 0x41; } return x.length; }
    function g() public view returns (bytes memory) { return kept; }
}
