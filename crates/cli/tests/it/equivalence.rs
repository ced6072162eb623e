//! Profiles, equivalent variants and reduction of contracts with real solc.

use std::fs;

use crate::lydite::Folder;

const SEEDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds");

/// Imports under other names, a linked library, a modifier, functions that
/// promise to read nothing; and bad manners: a loop without end, recursion,
/// memory without end, a megabyte returned, self-destruction.
const SHOP: &str = r#"pragma solidity ^0.8.0;
import {Prices as Rates} from "prices/Prices.sol";
import "./Owned.sol" as Lib;
function double(uint8 one) pure returns (uint16) { uint16 wide = one; return wide * 2; }
contract Shop is Lib.Owned {
    uint128 public sold; int64 balance; bool open;
    event Sold(uint128 sold, int64 balance);
    constructor(int64 start) { balance = start; open = start > 0; }
    function sell(uint8 many, uint16 each) external limited(many) returns (uint256 price) {
        price = Rates.total(many, each);
        sold += double(many);
        for (uint8 i = 0; i < many % 4; i++) { balance = balance / 2 + int8(i); }
        if (open) emit Sold(sold, balance); else open = true;
    }
    function spin(uint n) external returns (uint) { while (n >= 0) { n++; sold = uint128(n); } return n; }
    function recurse(uint n) public returns (uint) { return recurse(n + 1) + sold; }
    function hoard(uint n) external pure returns (uint) { bytes memory b = new bytes(n % 2 == 0 ? 1 << 40 : 1 << 20); return b.length; }
    function shout() external pure returns (bytes memory) { return new bytes(1 << 20); }
    function close() external { selfdestruct(payable(owner)); }
}
"#;

const PRICES: &str = "pragma solidity ^0.8.0;
library Prices {
    function total(uint8 many, uint16 each) public pure returns (uint256) {
        uint256 sum = each;
        return sum * many;
    }
}
";

const OWNED: &str = "pragma solidity ^0.8.0;
abstract contract Owned {
    address owner = msg.sender;
    modifier limited(uint8 by) { require(by < 200); _; }
}
";

#[test]
fn a_contract_with_imports_and_bad_manners_is_profiled_varied_and_compared() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.20"])
        .expect(0);
    folder.write("shop/Shop.sol", SHOP);
    folder.write("shop/Owned.sol", OWNED);
    folder.write("lib/prices/Prices.sol", PRICES);
    let profile = |output: &str, variants: &str| {
        folder
            .run(&[
                "profile", "shop/Shop.sol", "--root", "lib", "-t", "solc@0.8.20", "--count", "10",
                "--variants", variants, "-o", output, "--json", "-q",
            ])
            .expect(0)
            .json()
    };
    let row = profile("one", "3");
    assert_eq!(
        (&row["different"], &row["refused"]),
        (&0.into(), &0.into()),
        "{row:#}"
    );
    assert!(row["equal"].as_u64().unwrap() >= 2, "{row:#}");
    assert!(row["reached"].as_u64().unwrap() >= 10, "{row:#}");
    let text = fs::read_to_string(folder.path().join("one/Shop.sol")).unwrap();
    assert!(
        text.contains("if (++lydite_loop"),
        "the loop without end has one:\n{text}"
    );
    assert!(text.contains("//# tx new Shop("), "{text}");
    profile("two", "0");
    let again = fs::read_to_string(folder.path().join("two/Shop.sol")).unwrap();
    assert_eq!(text, again);
    let summary = folder
        .run(&[
            "hunt", "--strategy", "equivalent", "--seeds", "one", "-t", "solc@0.8.20:evm", "-t",
            "solc@0.8.20:evm-optimize", "--cases", "2", "--warm", "10", "--oracles",
            "crash,differential", "--timeout", "120s", "-j", "1", "-o", "out", "-q", "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(
        (&summary["cases"], &summary["findings"]),
        (&2.into(), &0.into())
    );
    let outcomes = summary["outcomes"].as_array().unwrap();
    assert!(
        outcomes.iter().any(|row| row["outcome"] == "answered"),
        "{summary:#}"
    );
}

#[test]
fn profiled_seeds_are_what_profile_writes() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.37"])
        .expect(0);
    let names = ["counter.sol", "shapes.sol"];
    let files = names.map(|name| format!("{SEEDS}/solidity/{name}"));
    let mut args = vec![
        "profile", "-q", "-t", "solc@0.8.37", "--count", "30", "-o", "out",
    ];
    args.extend(files.iter().map(String::as_str));
    folder.run(&args).expect(0);
    for name in names {
        let shipped = fs::read_to_string(format!("{SEEDS}/solidity-profiled/{name}")).unwrap();
        let made = fs::read_to_string(folder.path().join("out").join(name)).unwrap();
        assert_eq!(made, shipped, "{name}");
    }
}

#[test]
fn what_cannot_be_profiled_or_varied_is_said() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.20"])
        .expect(0);
    let seeds = format!("{SEEDS}/solidity");
    folder
        .run(&["generate", "equivalent", "--seeds", &seeds, "-n", "1"])
        .expect(2)
        .says(&["no profile (lydite profile FILE writes one)"]);
    for (text, said) in [
        (
            "contract A { uint8 a = 300; }",
            "does not compile with solc@0.8.20: TypeError",
        ),
        (
            "import \"./gone.sol\"; contract A {}",
            "imports `./gone.sol`, which is not found",
        ),
        ("contract A {\n function }", "line 2 is not Solidity"),
        (
            "abstract contract A {}",
            "no contract that could be deployed (of A)",
        ),
        (
            "pragma solidity 0.3.1; contract A {}",
            "no installed version of solc takes it",
        ),
    ] {
        folder.write("a.sol", text);
        folder
            .run(&["profile", "a.sol", "-t", "solc@0.8.20"])
            .expect(2)
            .says(&["a.sol", said]);
    }
}

#[test]
fn transactions_are_reduced_with_the_contract() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.4.24", "solc@0.4.26"])
        .expect(0);
    let source = "contract Power {
    function raise(uint8 base, uint8 a, uint8 b) public pure returns (uint8) { return base ** (a + b); }
    function other(int8 a, int8 b) public pure returns (int8, int8) { return (a / b, a % b); }
}";
    folder.write("power.sol", source);
    folder.write(
        "case.tx",
        "Power.other(3, 2)\nPower.raise(2, 255, 1)\nPower.other(-100, 7)\n",
    );
    let reduced = folder
        .run(&[
            "reduce", "power.sol", "--with", "case.tx", "-t", "solc@0.4.24:evm", "-t",
            "solc@0.4.26:evm", "--oracles", "differential", "--timeout", "120s", "-j", "1",
            "--tests", "30", "-q", "--json",
        ])
        .expect(0)
        .json();
    let bytes = |key: &str| reduced[key].as_u64().unwrap();
    assert!(bytes("reduced_bytes") < bytes("bytes"), "{reduced:#}");
    let script = fs::read_to_string(folder.path().join("case.reduced.tx")).unwrap();
    assert!(
        script.contains("Power.raise(2, 255, 1)") && script.lines().count() < 3,
        "{script}"
    );
    folder.write("again/case.tx", &script);
    folder
        .run(&[
            "check", "power.reduced.sol", "--with", "again/case.tx", "-t", "solc@0.4.24:evm", "-t",
            "solc@0.4.26:evm", "--oracles", "differential", "--timeout", "120s",
        ])
        .expect(10);
}

/// The exponentiation bug of 0.4.24 in new code alone: the contract, of 126
/// lines, has no exponent.
#[test]
fn a_contract_and_its_variant_are_reduced_together_and_stay_equivalent() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.4.24", "solc@0.4.26"])
        .expect(0);
    folder.write("shop.sol", include_str!("../solidity-seeds/shop.sol"));
    folder
        .run(&[
            "profile", "shop.sol", "-t", "solc@0.4.24", "--count", "20", "-o", "seeds", "-q",
        ])
        .expect(0);
    let found = folder
        .run(&[
            "hunt", "--strategy", "equivalent", "--seeds", "seeds", "--set", "variants=1", "--set",
            "rounds=8", "--set", "depth=4", "--set", "mutations=false-block", "-t",
            "solc@0.4.24:evm", "--oracles", "differential", "--seed", "7", "--schedule", "fixed",
            "--cases", "69", "--shard", "69/69", "--timeout", "120s", "--confirm", "1", "-j", "1",
            "-o", "out", "-q", "--json",
        ])
        .expect(10)
        .json();
    assert_eq!(found["findings"], 1, "{found:#}");
    // The first time the recipe is made smaller, the second time what it made.
    let reduced = ["4", "8"].map(|tests| {
        let args = ["reduce", "out", "-j", "1", "--tests", tests, "-q", "--json"];
        folder.run(&args).expect(0).json()
    });
    let bytes = |key: &str| reduced[1][key].as_u64().unwrap();
    assert!(bytes("reduced_bytes") < bytes("bytes"), "{reduced:#?}");
    let finding = fs::read_dir(folder.path().join("out/findings")).unwrap();
    let finding = finding.map(|entry| entry.unwrap().path()).next().unwrap();
    let read = |name: &str| fs::read_to_string(finding.join(name)).unwrap();
    let (original, variant) = (read("0/case.sol"), read("1/case.sol"));
    let mut rest = variant.as_str();
    let mut common = String::new();
    while let Some((before, behind)) = rest.split_once("/*+*/") {
        common.push_str(before);
        rest = behind.split_once("/*-*/").unwrap().1;
    }
    common.push_str(rest);
    assert_eq!(common, original);
    assert_ne!(common, variant);
    assert_eq!(read("0/case.tx"), read("1/case.tx"));
    // Equivalent they are: without the bug both do the same.
    folder.write("original.sol", &original);
    folder.write("variant.sol", &variant);
    folder.write("case.tx", read("0/case.tx"));
    for (target, code) in [("solc@0.4.24:evm", 10), ("solc@0.4.26:evm", 0)] {
        folder
            .run(&[
                "check", "original.sol", "variant.sol", "--with", "case.tx", "--claim",
                "equivalent", "-t", target, "--oracles", "differential", "--timeout", "120s",
            ])
            .expect(code);
    }
}
