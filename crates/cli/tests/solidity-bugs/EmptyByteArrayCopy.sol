// bad solc@0.7.3:evm good solc@0.7.4:evm
contract C {
    bytes kept;
    function empty() public returns (bytes1) {
        bytes memory none;
        uint256[] memory after_none = new uint256[](2);
        after_none[0] = uint256(-1);
        after_none[1] = uint256(-1);
        bytes memory nothing = new bytes(0);
        uint256[] memory more = new uint256[](1);
        more[0] = uint256(-1);
        kept = nothing;
        kept.push();
        return kept[0];
    }
}
