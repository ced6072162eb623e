// bad solc@0.8.14:evm good solc@0.8.15:evm
contract C {
    bytes kept;
    function put() public returns (bytes memory) {
        bytes memory text = new bytes(33);
        assembly { mstore(add(text, 65), not(0)) }
        kept = text;
        kept.push();
        kept.push();
        return kept;
    }
}
