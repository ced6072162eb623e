// bad solc@0.4.3:evm good solc@0.4.4:evm
contract C {
    uint32 low;
    uint32 high;
    function step() returns (uint32, uint32) {
        low--;
        return (low, high);
    }
    function add(uint32 by) returns (uint32, uint32) {
        low = low + by;
        return (low, high);
    }
}
