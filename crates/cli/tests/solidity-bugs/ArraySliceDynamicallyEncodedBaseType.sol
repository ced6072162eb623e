// bad solc@0.6.7 good solc@0.6.8
// oracle acceptance
pragma experimental ABIEncoderV2;

contract C {
    function second(bytes[] calldata all) external returns (bytes memory) { return all[1:][0]; }
}
