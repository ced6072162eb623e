// bad solc@0.8.16:evm-ir-optimize good solc@0.8.17:evm-ir-optimize
contract C {
    uint256 public kept;
    function set(bool end) external {
        kept = 1;
        stopIf(end);
        kept = 2;
    }
    function stopIf(bool end) internal {
        if (!end) return;
        assembly { return(0, 0) }
    }
}
