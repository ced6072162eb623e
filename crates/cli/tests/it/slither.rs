//! Real analysers of Solidity through the whole program: what slither and wake analyse, what solc
//! does not let them see, and an error inside of slither, warm and cold, that becomes a report.

use crate::lydite::Folder;

/// slither 0.9.2 has no form for a choice inside an index inside an argument.
const CHOICE: &str = "contract Choice {
    function same(uint a) public pure returns (uint) { return a; }
    function pick(bool b, uint[] memory a) public pure returns (uint) { return same(a[b ? 1 : 2]); }
}";

#[test]
fn an_error_inside_slither_is_a_crash_with_its_place_and_gets_a_report() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "slither@0.9.2"])
        .expect(0);
    folder.write("seeds/choice.sol", CHOICE);
    // What slither finds in a contract is no error.
    folder.write(
        "seeds/good.sol",
        "contract Good { address payable to; function end() public { to.transfer(1); } }",
    );
    folder.write("seeds/refused.sol", "contract Bad { uint a = true; }");
    // Its solc is of its time and refuses what came later, which slither could not read.
    folder.write("seeds/lacking.sol", "event Lacking();\ncontract A {}");
    let summary = folder
        .run(&[
            "hunt", "-t", "slither@0.9.2", "--seeds", "seeds", "--oracles", "crash", "--warm", "4",
            "--timeout", "120s", "--confirm", "1", "-j", "1", "-o", "out", "-q", "--json",
        ])
        .expect(10)
        .json();
    assert_eq!(summary["cases"], 4);
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(
        findings[0]["signature"],
        "v1 crash slither site=\"expression_to_slithir.py _post_conditional_expression Exception\""
    );
    let id = findings[0]["id"].as_str().unwrap();
    let report = folder.run(&["bug", id, "--in", "out"]).expect(0).stdout;
    for part in [
        "[Bug-Candidate]: ",
        "Describe the issue:",
        "Code example to reproduce the issue:",
        "slither case.sol",
        "Version:",
        "Relevant log output:",
        "Ternary operator are not convertible to SlithIR",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
}

/// Names of the language itself, and a modifier for the printers.
const GOOD: &str = "contract Good {
    uint v;
    modifier m() { require(msg.sender == tx.origin); _; }
    function f() public m { v++; }
}";

#[test]
fn wake_analyses_what_its_solc_takes() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "wake@4.22.2"])
        .expect(0);
    folder.write("good.sol", GOOD);
    folder.write("refused.sol", "contract Bad { uint a = true; }");
    for (file, outcome) in [("good.sol", "answered"), ("refused.sol", "rejected")] {
        let seen = folder
            .run(&[
                "check", file, "-t", "wake@4.22.2", "-t", "wake@4.22.2:printers", "--oracles",
                "crash", "--timeout", "120s", "--json",
            ])
            .expect(0)
            .json();
        let observations = seen["observations"].as_array().unwrap();
        assert_eq!(observations.len(), 2);
        for observation in observations {
            assert_eq!(observation["outcome"], outcome, "{file}: {observation}");
        }
    }
    // Warm, each program has a process of its own.
    folder.write("seeds/good.sol", GOOD);
    folder.write("seeds/refused.sol", "contract Bad { uint a = true; }");
    let summary = folder
        .run(&[
            "hunt", "-t", "wake@4.22.2", "--seeds", "seeds", "--oracles", "crash", "--warm", "4",
            "--timeout", "120s", "-j", "1", "-o", "out", "-q", "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(summary["cases"], 2);
}
