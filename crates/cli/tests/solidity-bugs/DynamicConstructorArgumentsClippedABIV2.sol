// bad solc@0.5.8:evm good solc@0.5.9:evm
pragma experimental ABIEncoderV2;

contract C {
    uint256 public sum;
    constructor(uint256[][3] memory rows) public {
        for (uint256 i = 0; i < rows.length; i++)
            for (uint256 j = 0; j < rows[i].length; j++)
                sum = 10 * sum + rows[i][j];
    }
}
