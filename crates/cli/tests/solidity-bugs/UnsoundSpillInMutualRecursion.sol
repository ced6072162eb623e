// bad solc@0.8.35:evm-via-ir good solc@0.8.36:evm
contract C {
    mapping(uint256 => uint256) cells;
    function run(uint256 n) external returns (uint256) { unchecked {
        for (uint256 i = 0; i < 60; i++) cells[i] = i * i + 1;
        return a(n % 5);
    } }
    function a(uint256 n) internal returns (uint256 x) { unchecked {
        if (n == 0) return 1;
        x = b(n - 1);
        x += d(n - 1);
    } }
    function b(uint256 n) internal returns (uint256) { unchecked {
        if (n == 0) return 2;
        return a(n - 1) * 5;
    } }
    function d(uint256 n) internal returns (uint256 sum) { unchecked {
        uint256 v0 = cells[0 + n];
        uint256 v1 = cells[1 + n];
        uint256 v2 = cells[2 + n];
        uint256 v3 = cells[3 + n];
        uint256 v4 = cells[4 + n];
        uint256 v5 = cells[5 + n];
        uint256 v6 = cells[6 + n];
        uint256 v7 = cells[7 + n];
        cells[99] = n;
        {
            uint256 m = cells[99];
            uint256 w0 = cells[20 + m];
            uint256 w1 = cells[21 + m];
            uint256 w2 = cells[22 + m];
            uint256 w3 = cells[23 + m];
            uint256 w4 = cells[24 + m];
            uint256 w5 = cells[25 + m];
            uint256 w6 = cells[26 + m];
            uint256 w7 = cells[27 + m];
            uint256 w8 = cells[28 + m];
            uint256 w9 = cells[29 + m];
            uint256 s = m == 0 ? 3 : b(m - 1);
            s = s * 3 + w0;
            s = s * 3 + w1;
            s = s * 3 + w2;
            s = s * 3 + w3;
            s = s * 3 + w4;
            s = s * 3 + w5;
            s = s * 3 + w6;
            s = s * 3 + w7;
            s = s * 3 + w8;
            s = s * 3 + w9;
            cells[98] = s;
        }
        sum = cells[98];
        sum = sum * 3 + v0;
        sum = sum * 3 + v1;
        sum = sum * 3 + v2;
        sum = sum * 3 + v3;
        sum = sum * 3 + v4;
        sum = sum * 3 + v5;
        sum = sum * 3 + v6;
        sum = sum * 3 + v7;
    } }
}
