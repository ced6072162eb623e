// bad solc@0.5.7:evm good solc@0.5.8:evm
// bad solc@0.4.25:evm good solc@0.4.26:evm
contract Other {}
library L {
    event Told(Other other);
    function tell(Other other) public { emit Told(other); }
}
contract C {
    function tell() public { L.tell(Other(address(5))); }
}
