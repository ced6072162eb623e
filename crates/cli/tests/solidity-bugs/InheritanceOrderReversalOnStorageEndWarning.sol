// bad solc@0.8.30:evm good solc@0.8.37:evm
contract Top { function name() public virtual returns (uint256) { return 1; } }
contract Middle is Top { function name() public virtual override returns (uint256) { return 2; } }
contract C is Middle layout at 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00 {
    uint256 kept;
    function own() public returns (uint256) { return name(); }
}
