// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Arms in storage and memory meet in memory: what is written then is a copy.
contract ConditionalCopy {
    uint[] public kept;

    function write(bool stored, uint value) public returns (uint, uint) {
        uint[] memory own = new uint[](1);
        kept.push(1);
        (stored ? kept : own)[0] = value;
        return (kept[0], own[0]);
    }

    function bytesOf(bool stored, bytes calldata given) public pure returns (bytes1) {
        bytes memory own = "ab";
        return (stored ? given : own)[1];
    }
}
