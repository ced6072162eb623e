// bad solc@0.8.13 good solc@0.8.14
// oracle acceptance
contract Base {
    function first(uint256[] memory all) internal virtual returns (uint256) { return all[0]; }
    function ask(uint256[] calldata all) external returns (uint256) { return first(all); }
}
contract C is Base {
    function first(uint256[] calldata all) internal override returns (uint256) { return all[1]; }
}
