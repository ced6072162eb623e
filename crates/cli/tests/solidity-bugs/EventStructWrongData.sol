// bad solc@0.4.24 good solc@0.4.25
// oracle acceptance
contract C {
    struct Pair { uint256 left; uint256 right; }
    event Told(Pair pair);
    function tell(uint256 left, uint256 right) public {
        Pair memory pair = Pair(left, right);
        emit Told(pair);
    }
}
