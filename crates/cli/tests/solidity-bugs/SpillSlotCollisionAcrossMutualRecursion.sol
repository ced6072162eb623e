// bad solc@0.8.36:evm-via-ir good solc@0.8.37:evm-via-ir
contract C {
    mapping(uint256 => uint256) cells;
    function run(uint256 n) external returns (uint256 r) { unchecked {
        for (uint256 i = 0; i < 60; i++) cells[i] = i * i + 1;
        r = x(n % 5);
        r += p(n % 5);
    } }
    function p(uint256 n) internal returns (uint256 sum) { unchecked {
        uint256 v0 = cells[n + 0];
        uint256 v1 = cells[n + 1];
        uint256 v2 = cells[n + 2];
        uint256 v3 = cells[n + 3];
        uint256 v4 = cells[n + 4];
        uint256 v5 = cells[n + 5];
        uint256 v6 = cells[n + 6];
        uint256 v7 = cells[n + 7];
        uint256 v8 = cells[n + 8];
        uint256 v9 = cells[n + 9];
        uint256 v10 = cells[n + 10];
        uint256 v11 = cells[n + 11];
        uint256 v12 = cells[n + 12];
        uint256 v13 = cells[n + 13];
        uint256 v14 = cells[n + 14];
        uint256 v15 = cells[n + 15];
        uint256 v16 = cells[n + 16];
        uint256 v17 = cells[n + 17];
        sum = y(n);
        sum = sum * 3 + v0;
        sum = sum * 3 + v1;
        sum = sum * 3 + v2;
        sum = sum * 3 + v3;
        sum = sum * 3 + v4;
        sum = sum * 3 + v5;
        sum = sum * 3 + v6;
        sum = sum * 3 + v7;
        sum = sum * 3 + v8;
        sum = sum * 3 + v9;
        sum = sum * 3 + v10;
        sum = sum * 3 + v11;
        sum = sum * 3 + v12;
        sum = sum * 3 + v13;
        sum = sum * 3 + v14;
        sum = sum * 3 + v15;
        sum = sum * 3 + v16;
        sum = sum * 3 + v17;
    } }
    function x(uint256 n) internal returns (uint256 r) { unchecked {
        r = v(n);
        if (n > 0) r += y(n - 1);
    } }
    function y(uint256 n) internal returns (uint256 r) { unchecked {
        cells[50] += n;
        if (n > 0) r = x(n - 1) * 7;
    } }
    function v(uint256 n) internal returns (uint256 sum) { unchecked {
        uint256 v0 = cells[n + 20];
        uint256 v1 = cells[n + 21];
        uint256 v2 = cells[n + 22];
        uint256 v3 = cells[n + 23];
        uint256 v4 = cells[n + 24];
        uint256 v5 = cells[n + 25];
        uint256 v6 = cells[n + 26];
        uint256 v7 = cells[n + 27];
        uint256 v8 = cells[n + 28];
        uint256 v9 = cells[n + 29];
        uint256 v10 = cells[n + 30];
        uint256 v11 = cells[n + 31];
        uint256 v12 = cells[n + 32];
        uint256 v13 = cells[n + 33];
        uint256 v14 = cells[n + 34];
        uint256 v15 = cells[n + 35];
        uint256 v16 = cells[n + 36];
        uint256 v17 = cells[n + 37];
        cells[51]++;
        sum = w(n);
        sum = sum * 3 + v0;
        sum = sum * 3 + v1;
        sum = sum * 3 + v2;
        sum = sum * 3 + v3;
        sum = sum * 3 + v4;
        sum = sum * 3 + v5;
        sum = sum * 3 + v6;
        sum = sum * 3 + v7;
        sum = sum * 3 + v8;
        sum = sum * 3 + v9;
        sum = sum * 3 + v10;
        sum = sum * 3 + v11;
        sum = sum * 3 + v12;
        sum = sum * 3 + v13;
        sum = sum * 3 + v14;
        sum = sum * 3 + v15;
        sum = sum * 3 + v16;
        sum = sum * 3 + v17;
    } }
    function w(uint256 n) internal returns (uint256) { unchecked { cells[52] += n; for (uint256 i = 0; i < n; i++) cells[53] += i; return cells[51]; } }
}
