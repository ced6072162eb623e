//! Real solc through the whole program: published bugs of old versions are
//! found, confirmed, made small; settings of the optimizer change nothing.

use crate::lydite::Folder;

/// Issue 8974 of solc: a struct with an array of mappings as a parameter in
/// memory, among things that have no part in it.
const NOISY: &str = "pragma solidity >=0.5.0;
contract Other { uint kept; function set(uint to) public { kept = to; } }
contract Box {
    struct Lid { uint size; mapping(uint8 => uint8)[2] marks; }
    uint[] sizes;
    event Opened(uint size);
    function size() public view returns (uint) { return sizes.length; }
    function open(Lid memory lid) internal { sizes.push(3); }
    function shut(uint by) public { if (by > 3) { sizes.push(by); } emit Opened(by); }
}";

#[test]
fn an_internal_error_that_a_warm_process_shows_is_confirmed_and_reduced() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.6.8"])
        .expect(0);
    folder.write("seeds/noisy.sol", NOISY);
    for number in 0..4 {
        folder.write(
            &format!("seeds/good{number}.sol"),
            format!("contract Good{number} {{ uint a; }}"),
        );
    }
    folder.write("seeds/refused.sol", "contract Bad { uint a = true; }");
    let summary = folder
        .run(&[
            "hunt", "-t", "solc@0.6.8", "--seeds", "seeds", "--oracles", "crash", "--warm", "10",
            "--timeout", "120s", "--confirm", "1", "-j", "1", "-o", "out", "-q", "--json",
        ])
        .expect(10)
        .json();
    assert_eq!(summary["cases"], 6);
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let signature = findings[0]["signature"].to_string();
    assert!(signature.contains("Types.h"), "{signature}");
    folder
        .run(&["reduce", "out", "-q", "-j", "1", "--tests", "60"])
        .expect(0);
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    let bytes = findings[0]["reduced_bytes"].as_u64().unwrap();
    assert!(bytes < NOISY.len() as u64 / 2, "{bytes} of {}", NOISY.len());
}

#[test]
fn the_exponentiation_bug_shows_between_the_versions_before_and_behind_its_fix() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.4.24", "solc@0.4.26"])
        .expect(0);
    let power = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../seeds/solidity/power.sol"
    );
    let check = |transactions: &str, old: &str| {
        folder.write("case.tx", transactions);
        folder.run(&[
            "check", power, "--with", "case.tx", "-t", old, "-t", "solc@0.4.26:evm", "--oracles",
            "crash,differential", "--timeout", "120s", "--json",
        ])
    };
    check(
        "Power.raise(2, 3, 4)\nPower.shifted(200, 3)\n",
        "solc@0.4.24:evm",
    )
    .expect(0);
    let found = check("Power.raise(2, 255, 1)\n", "solc@0.4.24:evm")
        .expect(10)
        .json();
    assert_eq!(found["symptoms"][0]["kind"], "disagreement", "{found:#}");
    let answer = found["observations"][1]["answer"].to_string();
    assert!(answer.contains("returned (1)"), "{answer}");
}

#[test]
fn settings_of_the_optimizer_do_not_change_what_a_contract_does() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.20"])
        .expect(0);
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds/solidity");
    let summary = folder
        .run(&[
            "hunt", "-t", "solc@0.8.20:evm", "-t", "solc@0.8.20:evm-optimize", "-t",
            "solc@0.8.20:evm-ir-optimize", "--seeds", seeds, "--oracles", "crash,differential",
            "--warm", "10", "--timeout", "120s", "-j", "1", "-o", "out", "-q", "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(summary["findings"], 0);
    for row in summary["outcomes"].as_array().unwrap() {
        assert_eq!(
            (&row["outcome"], &row["runs"]),
            (&"answered".into(), &6.into()),
            "{row}"
        );
    }
}

#[test]
fn versions_that_take_different_programs_are_told() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.4.24", "solc@0.8.20"])
        .expect(0);
    folder.write("old.sol", "contract Old { function f() { var a = 1; a; } }");
    let found = folder
        .run(&[
            "check", "old.sol", "-t", "solc@0.4.24", "-t", "solc@0.8.20", "--oracles",
            "acceptance", "--timeout", "120s", "--json",
        ])
        .expect(10)
        .json();
    assert_eq!(found["symptoms"][0]["kind"], "disagreement");
    assert_eq!(found["symptoms"][0]["target"], "solc@0.8.20");
}

#[test]
fn contracts_do_what_the_interpreter_says() {
    let folder = Folder::new();
    folder
        .run(&[
            "targets", "install", "-q", "solc@0.5.17", "solc@0.7.6", "solc@0.8.37",
        ])
        .expect(0);
    // A sample of what `scripts/small_contracts.py` runs.
    for (strategy, version, cases) in [
        ("complete", "0.5.17", 15),
        ("complete", "0.7.6", 15),
        ("complete", "0.8.37", 15),
        ("assigned", "0.5.17", 10),
        ("assigned", "0.8.37", 10),
        ("copies", "0.7.6", 10),
        ("copies", "0.8.37", 10),
        ("expressions", "0.7.6", 1),
    ] {
        let (target, setting) = (format!("solc@{version}:evm"), format!("solc={version}"));
        let (out, count) = (format!("{strategy}-{version}"), cases.to_string());
        let args = [
            "hunt", "--strategy", strategy, "--set", &setting, "-t", &target, "--cases", &count,
            "--warm", "15", "--timeout", "120s", "-j", "1", "-o", &out, "-q", "--json",
        ];
        let summary = folder.run(&args).expect(0).json();
        let outcomes = summary["outcomes"].as_array().unwrap();
        let answered = outcomes.iter().find(|row| row["outcome"] == "answered");
        let answered = answered.and_then(|row| row["runs"].as_u64()).unwrap();
        assert!(answered >= cases - cases / 5, "{summary:#}");
        assert_eq!(summary["unconfirmed"], 0, "{summary:#}");
    }
}

#[test]
fn the_exponentiation_bug_is_found_from_scratch() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.4.24"])
        .expect(0);
    folder
        .run(&[
            "hunt", "--strategy", "expressions", "--set", "solc=0.4.24", "--set", "types=uint",
            "--set", "functions=20", "-t", "solc@0.4.24:evm", "--cases", "4", "--warm", "10",
            "--timeout", "120s", "-j", "1", "-o", "out", "-q",
        ])
        .expect(10);
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0]["kind"], "wrong-output");
}

/// `FullInlinerNonExpressionSplitArgumentEvaluationOrder`: the inliner alone
/// changes the order of arguments, the usual sequence of steps does not.
#[test]
fn a_step_of_the_optimizer_shows_a_bug_that_the_usual_sequence_hides() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.20", "solc@0.8.21"])
        .expect(0);
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/solidity-bugs/FullInlinerNonExpressionSplitArgumentEvaluationOrder.sol"
    );
    let check = |version: &str| {
        let target = |variant: &str| format!("solc@{version}:{variant}");
        folder.run(&[
            "check",
            program,
            "-t",
            &target("evm-ir-optimize"),
            "-t",
            &target("evm-step-full-inliner"),
            "-t",
            &target("evm-step-inliner-alone"),
            "--oracles",
            "crash,differential",
            "--timeout",
            "120s",
            "--json",
        ])
    };
    let found = check("0.8.20").expect(10).json();
    assert_eq!(found["symptoms"].as_array().unwrap().len(), 1, "{found:#}");
    assert_eq!(
        found["symptoms"][0]["target"], "solc@0.8.20:evm-step-inliner-alone",
        "{found:#}"
    );
    let quiet = check("0.8.21").expect(0).json();
    for observation in quiet["observations"].as_array().unwrap() {
        assert_eq!(observation["outcome"], "answered", "{quiet:#}");
    }
}

/// The others: `scripts/known_bugs.py`.
#[test]
fn published_bugs_of_the_compiler_are_caught_and_their_fixes_are_quiet() {
    let folder = Folder::new();
    for name in ["ExpExponentCleanup", "UserDefinedValueTypesBug"] {
        let program = format!("{}/tests/solidity-bugs/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(format!("{program}.sol")).unwrap();
        let head = text.lines().next().unwrap();
        let words: Vec<&str> = head.split(' ').collect();
        let ["//", "bad", bad, "good", good] = words[..] else {
            panic!("{head}");
        };
        let (contract, transactions) = (format!("{program}.sol"), format!("{program}.tx"));
        let version = |target: &str| target.split(':').next().unwrap().to_string();
        folder
            .run(&["targets", "install", "-q", &version(bad), &version(good)])
            .expect(0);
        let check = |one: &str, other: &str| {
            folder.run(&[
                "check", &contract, "--with", &transactions, "-t", one, "-t", other, "--oracles",
                "crash,differential", "--timeout", "120s", "--json",
            ])
        };
        check(bad, good).expect(10);
        check(good, &format!("{good}-optimize")).expect(0);
    }
}

#[test]
fn transactions_that_do_not_fit_a_contract_are_said_to_be_so() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.9"])
        .expect(0);
    folder.write(
        "one.sol",
        "// SPDX-License-Identifier: MIT\ncontract C { function f() public {} }\n",
    );
    for (line, said) in [
        (
            "C.f(",
            "line 1: the parentheses of the arguments do not match",
        ),
        ("C.g()", "transaction 1, `C.g()`: no function `g`"),
        ("D.f()", "transaction 1, `D.f()`: no contract `D`"),
    ] {
        folder.write("one.tx", line);
        let words = [
            "check", "one.sol", "--with", "one.tx", "-t", "solc@0.8.9:evm",
        ];
        let ran = folder.run(&words).expect(0);
        assert!(
            ran.stdout.contains("rejected") && ran.stdout.contains(said),
            "{}",
            ran.stdout
        );
    }
}

/// Deployments, calls of another contract, events, reasons, a halt, wei and
/// storage.
const BUSY: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;
contract Till {
    mapping(address => uint) public paid;
    event Paid(address indexed by, uint amount, string note);
    error Short(uint missing);
    receive() external payable {}
    function pay(string memory note) public payable returns (uint) {
        if (msg.value < 5) revert Short(5 - msg.value);
        paid[msg.sender] += msg.value;
        emit Paid(msg.sender, msg.value, note);
        return paid[msg.sender];
    }
    function third(uint by) public pure returns (uint) { return 3 / by; }
    function stop() public pure { assembly { invalid() } }
    function open() public payable returns (address) { return address(new Drawer{value: 1}()); }
}
contract Drawer { uint[] coins; constructor() payable { coins.push(msg.value); } }
"#;

#[test]
fn another_evm_is_tested_against_ours() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.37", "ganache@7.9.2"])
        .expect(0);
    folder.write("busy.sol", BUSY);
    folder.write(
        "case.tx",
        "new Till()\nTill.pay(\"a\") value 7 from 2\nTill.pay(\"b\") value 2\n\
         Till.third(0)\nTill.stop()\nTill.open() value 9\nTill.paid(@2)\nnew Drawer() value 3\n",
    );
    let said = folder
        .run(&[
            "check", "busy.sol", "--with", "case.tx", "-t", "ganache@7.9.2", "-t",
            "solc@0.8.37:evm", "--oracles", "crash,differential", "--timeout", "60s", "--json",
        ])
        .expect(0)
        .json();
    let seen = said["observations"].as_array().unwrap();
    assert_eq!(seen.len(), 2, "{said:#}");
    for seen in seen {
        let answer = seen["answer"].as_str().unwrap_or_default();
        assert!(answer.contains("new Till(): deployed"), "{seen:#}");
    }
    assert_eq!(said["symptoms"].as_array().unwrap().len(), 0, "{said:#}");
}

#[test]
fn a_node_that_ends_is_said_to_and_one_that_lies_is_believed() {
    let folder = Folder::new();
    folder.write(
        "empty.json",
        r#"{"contracts":[{"file":"a.sol","name":"Empty","abi":[],"bin":"60006000f3"}]}"#,
    );
    folder.write("case.tx", "hide state\nnew Empty()\n");
    let run = |node: &[&str]| {
        let words = ["evm", "empty.json", "--transactions", "case.tx"];
        folder.run(&[&words[..], node].concat())
    };
    assert_eq!(run(&[]).expect(0).stdout.trim(), "1 new Empty(): deployed");
    let lies = r#"read question; echo '{"reverted":{"output":"0x","gas":1}}'"#;
    let said = run(&["--", "sh", "-c", lies]).expect(0).stdout;
    assert_eq!(said.trim(), "1 new Empty(): reverted");
    let said = run(&["--", "sh", "-c", "exit 0"]).stderr;
    assert!(
        said.contains("node: transaction 1, `new Empty()`: "),
        "{said}"
    );
    let said = run(&["--", "/no/such/node"]).stderr;
    assert!(said.contains("node /no/such/node"), "{said}");
}

/// Contracts that loop, recurse, hoard, shout, tell, create, destroy and refuse.
const BAD_MANNERS: &str = r#"
contract Egg { uint[40] public yolk; constructor() { for (uint i; i < 40; i++) yolk[i] = i + 1; } }
contract Ghost { constructor() payable { selfdestruct(payable(address(this))); } }
contract Fails { constructor(uint n) { require(n == 7, "not seven"); } function f() public pure returns (uint) { return 1; } }
contract Bad {
    uint kept = 5;
    event Told(uint n);
    function spin() public { while (true) { kept++; } }
    function inward(uint n) public returns (uint) { return inward(n + 1) + kept; }
    function hoard(uint n) public pure returns (uint) { return new bytes(n).length; }
    function shout(uint n) public pure returns (bytes memory) { return new bytes(n); }
    function blame(uint n) public pure { string memory s = new string(n); revert(s); }
    function tell(uint n) public { for (uint i; i < n; i++) emit Told(i); }
    function lay(uint n) public returns (uint made) { for (uint i; i < n; i++) { new Egg(); made++; } }
    function leave() public { selfdestruct(payable(address(this))); }
    function power(uint n) public view returns (bool ok) { (ok, ) = address(5).staticcall(abi.encode(n, n, n)); }
    function pay() public payable returns (uint) { return msg.value; }
    function free() public pure returns (uint) { return 1; }
}
"#;

#[test]
fn bad_manners_are_contained_from_end_to_end() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "solc@0.8.20"])
        .expect(0);
    folder.write("bad.sol", BAD_MANNERS);
    let check = |script: &str| {
        folder.write("case.tx", script);
        folder.run(&[
            "check", "bad.sol", "--with", "case.tx", "-t", "solc@0.8.20:evm", "-t",
            "solc@0.8.20:evm-optimize", "--oracles", "differential", "--timeout", "120s", "--json",
        ])
    };
    let outcome = |found: &serde_json::Value| {
        let seen = found["observations"].as_array().unwrap();
        assert_eq!(seen[0]["outcome"], seen[1]["outcome"], "{found:#}");
        seen[0]["outcome"].as_str().unwrap().to_string()
    };
    let all = "new Bad()\nBad.hoard(1099511627776)\nBad.shout(300000)\nBad.blame(200000)\n\
        Bad.tell(1200)\nBad.tell(1000000)\nBad.lay(3)\nBad.power(1000000000)\nBad.pay() value 3\n\
        Bad.free() value 3\nBad.spin()\nnew Fails(6)\nFails.f()\nnew Ghost() value 9\n\
        raw Ghost 0x01\nBad.leave()\nBad.free()\nraw Bad 0xffffffff\nraw Bad\n";
    let found = check(all).expect(0).json();
    assert_eq!(outcome(&found), "answered", "{found:#}");
    for limited in ["Bad.inward(0)", "Bad.lay(1000000)"] {
        let found = check(limited).expect(0).json();
        assert_eq!(outcome(&found), "timed-out", "{limited}: {found:#}");
    }
}
