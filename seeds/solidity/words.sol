// SPDX-License-Identifier: MIT
pragma solidity >=0.5.0;

contract Words {
    string kept;
    bytes raw;

    function keep(string memory word) public returns (uint) {
        kept = word;
        raw = bytes(word);
        return raw.length;
    }

    function reversed() public view returns (bytes memory) {
        bytes memory from = bytes(kept);
        bytes memory to = new bytes(from.length);
        for (uint i = 0; i < from.length; i++) {
            to[from.length - 1 - i] = from[i];
        }
        return to;
    }

    function packed(bytes3 head, string memory word, int24 number) public pure returns (bytes memory, bytes32) {
        bytes memory all = abi.encodePacked(head, word, number);
        return (all, keccak256(abi.encode(all, number)));
    }

    function letter(uint at) public view returns (bytes1) {
        return raw[at];
    }
}
