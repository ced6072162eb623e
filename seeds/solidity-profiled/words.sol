// Licence: MIT
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

//# profile 1
//# solc 0.8.37
//# bytes 856
//# tx new Words()
//# tx Words.packed(0xd0d1d2, "abcde", -11) from 3
//# tx Words.reversed()
//# tx Words.letter(10183961292972489462649712021857974329075910140787799578271550920211337254130)
//# tx Words.keep("abcdefghijklmnopqrstuvwxyzabcde") from 2
//# tx Words.keep("abcdefghijklmnopqrstuvwxyzabcdefg") from 1
//# tx Words.packed(0x3a3b3c, "", 2) from 0
//# tx Words.letter(0)
//# tx Words.reversed() from 0
//# tx Words.keep("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr")
//# tx Words.packed(0x444546, "", -1)
//# tx Words.letter(115792089237316195423570985008687907853269984665640564039457584007913129639933)
//# tx Words.reversed() from 3
//# tx Words.reversed()
//# tx Words.packed(0x9b9c9d, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr", 338585) from 3
//# tx Words.keep("abcde")
//# tx Words.letter(10)
//# tx Words.packed(0x252627, "", -5495153)
//# tx Words.reversed()
//# tx Words.letter(57896044618658097711785492504343953926634992332820282019728792003956564819967)
//# tx Words.keep("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr")
//# tx Words.letter(57896044618658097711785492504343953926634992332820282019728792003956564819967)
//# tx Words.keep("abcdefghijklmnopqrstuvwxyzabcdefg")
//# tx Words.packed(0x656667, "abcdefghijklmnopqrstuvwxyzabcdef", 5) from 3
//# tx Words.reversed()
//# tx Words.reversed()
//# tx Words.letter(4)
//# tx Words.packed(0x616263, "abcdefghijklmnopqrstuvwxyzabcde", -1) from 3
//# tx Words.keep("a")
//# tx Words.keep("abcdefghijklmnopqrstuvwxyzabcdef") from 0
//# tx Words.packed(0xe8e9ea, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr", -1) from 3
//# at 162 raw.length
//# = 0
//# = 1
//# = 5
//# = 31
//# = 33
//# = 70
//# at 183 raw.length
//# = 0
//# = 1
//# = 5
//# = 31
//# = 33
//# = 70
//# at 210 raw.length
//# = 1
//# = 5
//# = 31
//# = 32
//# = 33
//# = 70
//# at 305 raw.length
//# = 0
//# = 5
//# = 33
//# = 70
//# at 346 raw.length from.length
//# = 0 0
//# = 5 5
//# = 33 33
//# = 70 70
//# at 396 raw.length to.length
//# = 0 0
//# = 5 5
//# = 33 33
//# = 70 70
//# many 449
//# at 502 raw.length to.length
//# = 0 0
//# = 5 5
//# = 33 33
//# = 70 70
//# at 641 head
//# = 2434599
//# = 3816252
//# = 4474182
//# = 6382179
//# = 6645351
//# = 10198173
//# = 13685202
//# = 15264234
//# at 706 all.length head
//# = 6 2434599
//# = 6 3816252
//# = 6 4474182
//# = 11 13685202
//# = 37 6382179
//# = 38 6645351
//# = 76 10198173
//# = 76 15264234
//# at 831 raw.length at
//# = 0 10183961292972489462649712021857974329075910140787799578271550920211337254130
//# = 5 10
//# = 5 57896044618658097711785492504343953926634992332820282019728792003956564819967
//# = 33 0
//# = 33 4
//# = 70 57896044618658097711785492504343953926634992332820282019728792003956564819967
//# = 70 115792089237316195423570985008687907853269984665640564039457584007913129639933
