// SPDX-License-Identifier: MIT
pragma solidity >=0.5.0;

contract Grid {
    uint8[3][] rows;
    int40[2][2] fixed_;

    function add(uint8[3] memory row) public returns (uint) {
        rows.push(row);
        return rows.length;
    }

    function turn(uint8 by) public returns (uint8[3] memory sums) {
        for (uint row = 0; row < rows.length; row++) {
            for (uint8 column = 0; column < 3; column++) {
                uint8 to = (column + by % 3) % 3;
                if (rows[row][column] > 250) continue;
                sums[to] = rows[row][column] / 3 + sums[to] / 2;
            }
        }
        rows.push(sums);
    }

    function mix(int40 a, int40 b) public returns (int40[2][2] memory) {
        fixed_[0] = [a / 2, b / 2];
        fixed_[1][0] = fixed_[0][0] & fixed_[0][1];
        fixed_[1][1] = ~fixed_[0][1] | int40(1);
        int40[2][2] memory copy = fixed_;
        (copy[0], copy[1]) = (copy[1], copy[0]);
        return copy;
    }
}
