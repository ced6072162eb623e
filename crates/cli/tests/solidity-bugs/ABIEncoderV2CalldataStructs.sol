// bad solc@0.5.10:evm good solc@0.5.11:evm
pragma experimental ABIEncoderV2;

contract C {
    struct Mixed { uint256 first; uint256[][2] rows; uint256 last; }
    function ends(Mixed calldata mixed) external returns (uint256, uint256) {
        return (mixed.first, mixed.last);
    }
}
