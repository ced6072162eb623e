// bad solc@0.4.13:evm good solc@0.4.16:evm
contract Other { function zero() returns (uint256) { return 0; } }
contract C {
    function call() returns (bool) {
        Other other = new Other();
        return address(other).delegatecall(bytes4(keccak256("zero()")));
    }
}
