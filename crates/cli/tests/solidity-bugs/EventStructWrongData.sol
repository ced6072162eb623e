// bad solc@0.4.24:evm good solc@0.4.25:evm
pragma experimental ABIEncoderV2;

contract C {
    struct Pair { uint256 left; uint256 right; }
    event Told(Pair pair);
    function tell(uint256 left, uint256 right) public {
        Pair memory pair = Pair(left, right);
        emit Told(pair);
    }
}
