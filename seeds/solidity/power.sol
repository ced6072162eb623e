// SPDX-License-Identifier: MIT
pragma solidity >=0.4.16;

contract Power {
    function raise(uint8 base, uint8 a, uint8 b) public pure returns (uint8) {
        return base ** (a + b);
    }

    function shifted(uint8 value, uint8 by) public pure returns (uint8 up, uint8 down, int8 arithmetic) {
        up = value << by;
        down = value >> by;
        arithmetic = int8(value) >> by;
    }

    function divided(int8 a, int8 b) public pure returns (int8, int8) {
        return (a / b, a % b);
    }
}
