// SPDX-License-Identifier: MIT
pragma solidity >=0.5.0;

contract Ledger {
    struct Entry {
        uint64 at;
        int64 change;
        bytes4 tag;
        uint16[] parts;
    }

    Entry[] entries;
    mapping(bytes4 => uint) totals;

    event Recorded(uint number, bytes4 indexed tag, int64 change);

    function record(bytes4 tag, int64 change, uint16[] memory parts) public returns (uint) {
        Entry storage entry = push();
        entry.at = uint64(entries.length);
        entry.change = change;
        entry.tag = tag;
        for (uint i = 0; i < parts.length; i++) {
            entry.parts.push(parts[parts.length - 1 - i]);
            totals[tag] += parts[i];
        }
        emit Recorded(entries.length, tag, change);
        return totals[tag];
    }

    function push() internal returns (Entry storage) {
        Entry memory empty;
        entries.push(empty);
        return entries[entries.length - 1];
    }

    function last() public view returns (uint64, int64, bytes4, uint16[] memory) {
        require(entries.length > 0, "nothing recorded");
        Entry memory entry = entries[entries.length - 1];
        return (entry.at, entry.change, entry.tag, entry.parts);
    }

    function forget(uint number) public {
        delete entries[number];
    }
}
