// bad solc@0.6.7:evm good solc@0.6.8:evm
pragma experimental ABIEncoderV2;

contract C {
    function text() public returns (bytes memory) { return abi.encode("one\\ntwo"); }
}
