// bad solc@0.8.12:evm good solc@0.8.13:evm
contract C {
    function take(bytes3 three, uint8 number) public {}
    function made() public view returns (bytes memory) { return abi.encodeCall(this.take, ("abc", 7)); }
}
