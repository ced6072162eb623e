// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// `push()` is the element that is new.
contract PushElement {
    struct Pair { uint8 left; uint16 right; }
    Pair[] public pairs;
    uint8[] public small;
    uint[][] public nested;

    function grow(uint8 value) public returns (uint) {
        small.push() = value;
        Pair storage pair = pairs.push();
        pair.right = uint16(value) + 1;
        pairs.push().left = value;
        nested.push().push(value);
        return small[small.length - 1];
    }

    function all() public view returns (uint8[] memory, Pair[] memory, uint[][] memory) {
        return (small, pairs, nested);
    }
}
