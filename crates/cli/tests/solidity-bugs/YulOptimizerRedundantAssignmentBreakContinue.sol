// bad solc@0.6.0:evm-yul good solc@0.6.1:evm-yul
// bad solc@0.5.15:evm-yul good solc@0.5.16:evm-yul
contract C {
    function sum(uint256 most) public returns (uint256 got) {
        assembly {
            for { let i := 0 } lt(i, most) { i := add(i, 1) } {
                let part := 1
                for { let j := 0 } lt(j, 9) { j := add(j, 1) } {
                    part := add(j, 20)
                    if gt(j, i) { break }
                    part := 2
                }
                got := add(mul(got, 100), part)
            }
        }
    }
    function last(uint256 most) public returns (uint256 got) {
        assembly {
            for { let i := 0 let kept := 5 } lt(i, most) { i := add(i, 1) got := add(got, kept) } {
                kept := 7
                if eq(i, 1) { continue }
                kept := 3
            }
        }
    }
}
