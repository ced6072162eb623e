// bad solc@0.8.8:evm good solc@0.8.9:evm
type Small is uint8;
contract C {
    Small one;
    Small two;
    function put() public { one = Small.wrap(1); two = Small.wrap(2); }
}
