// bad solc@0.5.6:evm good solc@0.5.7:evm
pragma experimental ABIEncoderV2;

contract C {
    struct Small { int8 low; bytes4 tag; bool set; }
    Small kept;
    bytes4[3] tags;
    int16[3] row;
    function put(int8 low, bytes4 tag) public {
        kept.low = low;
        kept.tag = tag;
        kept.set = true;
        tags[1] = tag;
        row[0] = low;
        row[1] = low;
    }
    function told() public returns (bytes memory) { return abi.encode(kept); }
    function rows() public returns (bytes memory) { return abi.encode(tags, row); }
}
