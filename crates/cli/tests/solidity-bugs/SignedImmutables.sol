// bad solc@0.8.8:evm good solc@0.8.9:evm
contract C {
    int8 immutable small;
    constructor() { small = -2; }
    function raw() public view returns (uint256 bits) {
        int8 got = small;
        assembly { bits := got }
    }
}
