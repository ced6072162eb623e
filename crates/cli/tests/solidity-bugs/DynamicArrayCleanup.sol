// bad solc@0.7.2:evm good solc@0.7.3:evm
contract C {
    uint64[] kept;
    function fill(uint64[] memory all) public { kept = all; }
    function grow() public returns (uint64) { kept.push(); return kept[kept.length - 1]; }
}
