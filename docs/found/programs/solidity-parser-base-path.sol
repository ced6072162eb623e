import "./case.sol" as M;

contract B {
    constructor(uint) {}
}

contract C is M.B {
    constructor() M.B(1) {}
}
