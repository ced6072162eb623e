// bad solc@0.7.1 good solc@0.7.2
// oracle acceptance
function twice(uint256 number) pure returns (uint256) { return 2 * number; }
function twice(uint256 number) pure returns (uint256) { return number + number; }
contract C { function ask() public pure returns (uint256) { return 1; } }
