// bad solc@0.8.30:evm-via-ir good solc@0.8.37:evm-via-ir
contract C {
    uint256 public kept;
    uint256 transient passing;
    function put(uint256 to) public { kept = to; }
    function pass() public { delete passing; }
    function clear() public { delete kept; }
}
