// bad solc@0.6.9:evm good solc@0.6.12:evm
library L {
    function byteAt(bytes calldata all, uint256 at) internal returns (bytes1) { return all[at]; }
}
contract C {
    using L for bytes;
    function pick(bytes calldata all) external returns (bytes1) { return all.byteAt(1); }
}
