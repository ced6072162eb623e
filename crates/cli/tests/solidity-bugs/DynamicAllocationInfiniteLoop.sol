// bad solc@0.3.5:evm good solc@0.3.6:evm
contract C {
    function none() returns (uint256) {
        uint256[] memory made = new uint256[](0);
        return made.length;
    }
}
