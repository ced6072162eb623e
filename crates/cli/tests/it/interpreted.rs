//! The interpreter of Solidity against solc, on small contracts that were
//! written for what it could get wrong.

use crate::lydite::Folder;

#[test]
fn small_contracts_do_what_the_interpreter_says_by_both_code_generators() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.37"])
        .expect(0);
    let seeds = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../seeds/solidity-interpreted"
    );
    let summary = folder
        .run(&[
            "hunt", "--strategy", "interpreted", "--seeds", seeds, "-t", "solc@0.8.37:evm", "-t",
            "solc@0.8.37:evm-via-ir", "--oracles", "crash,answer,differential", "--warm", "50",
            "--timeout", "120s", "-o", "out", "-q", "--json",
        ])
        .expect(0)
        .json();
    assert!(summary["cases"].as_u64().unwrap() >= 25, "{summary:#}");
}

#[test]
fn assembly_does_what_it_must_with_and_without_the_optimizer() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.37"])
        .expect(0);
    let summary = folder
        .run(&[
            "hunt", "--strategy", "yul", "--set", "functions=1", "--cases", "8", "-t",
            "solc@0.8.37:evm", "-t", "solc@0.8.37:evm-ir-optimize", "--oracles",
            "crash,answer,differential", "--warm", "50", "--timeout", "120s", "-o", "out", "-q",
            "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(summary["cases"].as_u64(), Some(8), "{summary:#}");
}
