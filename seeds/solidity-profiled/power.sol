// Licence: MIT
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

//# profile 1
//# solc 0.8.37
//# bytes 497
//# tx new Power()
//# tx Power.shifted(9, 253) from 1
//# tx Power.raise(10, 181, 255)
//# tx Power.divided(-1, 8)
//# tx Power.divided(-5, -128)
//# tx Power.shifted(127, 10)
//# tx Power.raise(0, 10, 255) from 0
//# tx Power.raise(3, 255, 54) from 3
//# tx Power.shifted(254, 127)
//# tx Power.divided(-11, 0)
//# tx Power.raise(254, 10, 255)
//# tx Power.divided(-128, -1)
//# tx Power.shifted(6, 29)
//# tx Power.divided(7, 127)
//# tx Power.raise(0, 162, 10)
//# tx Power.shifted(255, 108)
//# tx Power.divided(-1, -10)
//# tx Power.shifted(252, 127)
//# tx Power.raise(2, 11, 65) from 0
//# tx Power.raise(127, 4, 4)
//# tx Power.shifted(138, 1)
//# tx Power.divided(127, 127) from 2
//# tx Power.shifted(8, 253)
//# tx Power.divided(127, 0) from 0
//# tx Power.raise(6, 229, 252) from 3
//# tx Power.divided(0, -2)
//# tx Power.raise(255, 253, 4) from 0
//# tx Power.shifted(176, 85) from 0
//# tx Power.shifted(9, 9)
//# tx Power.divided(-75, 124)
//# tx Power.raise(2, 255, 255)
//# at 147 base a b
//# = 0 10 255
//# = 0 162 10
//# = 2 11 65
//# = 2 255 255
//# = 3 255 54
//# = 6 229 252
//# = 10 181 255
//# = 127 4 4
//# = 254 10 255
//# = 255 253 4
//# at 292 value by up down arithmetic
//# = 6 29 0 0 0
//# = 8 253 0 0 0
//# = 9 9 0 0 0
//# = 9 253 0 0 0
//# = 127 10 0 0 0
//# = 138 1 0 0 0
//# = 176 85 0 0 0
//# = 252 127 0 0 0
//# = 254 127 0 0 0
//# = 255 108 0 0 0
//# at 318 value by up down arithmetic
//# = 6 29 0 0 0
//# = 8 253 0 0 0
//# = 9 9 0 0 0
//# = 9 253 0 0 0
//# = 127 10 0 0 0
//# = 138 1 20 0 0
//# = 176 85 0 0 0
//# = 252 127 0 0 0
//# = 254 127 0 0 0
//# = 255 108 0 0 0
//# at 346 value by up down arithmetic
//# = 6 29 0 0 0
//# = 8 253 0 0 0
//# = 9 9 0 0 0
//# = 9 253 0 0 0
//# = 127 10 0 0 0
//# = 138 1 20 69 0
//# = 176 85 0 0 0
//# = 252 127 0 0 0
//# = 254 127 0 0 0
//# = 255 108 0 0 0
//# at 465 a b
//# = -128 -1
//# = -75 124
//# = -11 0
//# = -5 -128
//# = -1 -10
//# = -1 8
//# = 0 -2
//# = 7 127
//# = 127 0
//# = 127 127
