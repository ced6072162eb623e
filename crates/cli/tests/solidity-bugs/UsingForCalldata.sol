// bad solc@0.6.9:evm good solc@0.6.10:evm
library L {
    function last(uint256[] calldata all, uint256 back) internal returns (uint256) {
        return all[all.length - back];
    }
}
contract C {
    using L for uint256[];
    function pick(uint256[] calldata all) external returns (uint256) { return all.last(1); }
}
