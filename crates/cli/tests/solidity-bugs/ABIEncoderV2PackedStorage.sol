// bad solc@0.5.6:evm good solc@0.5.7:evm
// bad solc@0.4.25:evm good solc@0.4.26:evm
pragma experimental ABIEncoderV2;

contract C {
    struct Small { uint64 low; uint64 high; bool set; }
    Small kept;
    uint64[3] row;
    function told(uint64 low, uint64 high) public returns (bytes memory) {
        kept.low = low;
        kept.high = high;
        kept.set = true;
        row[0] = high;
        row[1] = low;
        row[2] = 9;
        return abi.encode(kept, row);
    }
}
