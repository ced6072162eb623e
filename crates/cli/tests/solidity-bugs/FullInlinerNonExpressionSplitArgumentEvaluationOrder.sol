// bad solc@0.8.20:evm-step-inliner-alone good solc@0.8.21:evm-step-inliner-alone
contract C {
    uint256 kept;
    function order() public returns (uint256 got) {
        assembly {
            function first(a, b) -> r { r := add(a, b) }
            function set() -> r { sstore(0, 7) }
            got := first(sload(0), set())
        }
    }
}
