// SPDX-License-Identifier: MIT
pragma solidity >=0.5.0;

contract Counter {
    uint8 small;
    int16 signed16;
    uint128 left;
    uint128 right;
    bool odd;

    event Counted(uint8 small, int16 signed16, uint128 left, uint128 right, bool odd);

    function step(uint8 by) public {
        small = small / 2 + by / 2;
        signed16 = int16(int8(small)) - 7;
        left = uint128(uint256(left) * 3 % 1000003);
        right = left ^ uint128(by) << 64 | right >> 1;
        odd = !odd && by % 2 == 1;
        emit Counted(small, signed16, left, right, odd);
    }

    function all() public view returns (uint8, int16, uint128, uint128, bool) {
        return (small, signed16, left, right, odd);
    }
}
