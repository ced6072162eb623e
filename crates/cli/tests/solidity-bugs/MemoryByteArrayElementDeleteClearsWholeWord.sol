// bad solc@0.8.30:evm good solc@0.8.37:evm
contract C {
    function cut(bytes memory text) public pure returns (bytes memory) {
        delete text[1];
        return text;
    }
}
