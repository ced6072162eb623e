// bad solc@0.6.7:evm good solc@0.6.8:evm
contract Base { constructor() public {} }
contract C is Base {}
