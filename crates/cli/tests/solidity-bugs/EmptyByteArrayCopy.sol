// bad solc@0.7.3:evm good solc@0.7.4:evm
contract C {
    bytes kept;
    function empty() public returns (bytes1) {
        bytes memory nothing = new bytes(0);
        uint256[2] memory more;
        more[0] = uint256(-1);
        kept = nothing;
        kept.push();
        return kept[0];
    }
}
