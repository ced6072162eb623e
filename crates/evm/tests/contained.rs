//! Contracts with bad manners are contained, and what they do is told alike
//! each time. The code is written by hand: no compiler takes part.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use lydite_evm::{Compiled, Derivation, Limits, Script, Stopped, derive_transactions, run, trace};

/// Creation code that leaves `runtime` behind.
fn creation(runtime: &str) -> String {
    let length = runtime.len() / 2;
    // PUSH2 length, DUP1, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 0, RETURN
    format!("61{length:04x}80600c6000396000f3{runtime}")
}

fn compiled(contracts: &[(&str, &str)]) -> Compiled {
    let contract = |(name, runtime): &(&str, &str)| serde_json::json!({"file": "a.sol", "name": name, "abi": [], "bin": creation(runtime)});
    let list: Vec<_> = contracts.iter().map(contract).collect();
    let text = serde_json::json!({ "contracts": list }).to_string();
    Compiled::parse(text.as_bytes()).unwrap()
}

/// Little gas, so that the test is quick.
fn limits() -> Limits {
    Limits {
        call_gas: 3_000_000,
        ..Limits::default()
    }
}

fn seen(runtime: &str, script: &str) -> Result<String, Stopped> {
    let script = Script::parse(script.as_bytes()).unwrap();
    run(&compiled(&[("A", runtime)]), &script, &limits())
}

#[test]
fn bad_manners_end_and_are_told() {
    let many_events = format!("{}00", "5f5fa0".repeat(5000));
    for (what, runtime, told) in [
        (
            "loops for ever",
            "5b600056",
            "1 raw A: halted, out of gas\n",
        ),
        (
            "wants 4 GB of memory",
            "5f63ffffffff52",
            "1 raw A: halted, out of gas\n",
        ),
        (
            "does what is not allowed", "fe", "1 raw A: halted, invalid\n",
        ),
        (
            "jumps into nowhere",
            "60ff56",
            "1 raw A: halted, invalid jump\n",
        ),
        (
            "takes from an empty stack", "50", "1 raw A: halted, stack\n",
        ),
        ("destroys itself", "33ff", "1 raw A: done\n"),
        (
            "returns a megabyte",
            "621000005ff3",
            "1 raw A: returned 1048576 bytes ",
        ),
        (
            "reverts with a megabyte",
            "621000005ffd",
            "1 raw A: reverted 1048576 bytes ",
        ),
        ("tells 5000 events", &many_events, "  5000 events "),
        (
            "reverts with a word", "60075f5260205ffd", "1 raw A: reverted 0x0000",
        ),
    ] {
        let text = seen(runtime, "raw A").unwrap();
        assert!(text.contains(told), "{what}: {text}");
        assert!(text.len() < 100_000, "{what}");
        assert_eq!(text, seen(runtime, "raw A").unwrap(), "{what}");
    }
}

#[test]
fn what_depends_on_gas_is_no_behaviour() {
    for (what, runtime) in [
        ("calls itself until the gas is gone", "5f5f5f5f5f305af100"),
        (
            "gives a call too little gas to loop",
            "366008575b6004565b5f5f5f5f5f3061fffff100",
        ),
    ] {
        let stopped = seen(runtime, "raw A 0x01").unwrap_err();
        let limit = matches!(&stopped, Stopped::Limit { limit, .. } if limit.contains("gas"));
        assert!(limit, "{what}: {stopped:?}");
        assert!(
            stopped.to_string().starts_with("limit: transaction "),
            "{stopped}"
        );
    }
}

#[test]
fn how_much_of_the_stack_is_used_is_no_behaviour() {
    for (what, runtime) in [
        ("fills the stack", "5b5f600056"),
        (
            "calls itself, which fills the stack",
            "366009575b5f6004565b5f5f5f5f5f305af100",
        ),
    ] {
        let stopped = seen(runtime, "raw A 0x01").unwrap_err();
        assert!(stopped.to_string().contains("stack"), "{what}: {stopped}");
    }
}

#[test]
fn what_is_destroyed_created_or_refused_is_told() {
    // Destroys itself in its constructor, to itself; and then there is nothing.
    let ghost = serde_json::json!({"contracts": [
        {"file": "a.sol", "name": "Ghost", "abi": [{"type": "constructor", "inputs": [], "stateMutability": "payable"}], "bin": "30ff"},
        {"file": "a.sol", "name": "Fails", "abi": [], "bin": "60075f5260205ffd"},
        {"file": "a.sol", "name": "Spins", "abi": [], "bin": "5b600056"},
        {"file": "a.sol", "name": "Huge", "abi": [], "bin": "6201388080600b5f395ff3".to_string() + &"00".repeat(80_000)},
    ]});
    let compiled = Compiled::parse(ghost.to_string().as_bytes()).unwrap();
    let seen = |script: &str| {
        let script = Script::parse(script.as_bytes()).unwrap();
        let limits = Limits {
            deploy_gas: 20_000_000,
            ..limits()
        };
        run(&compiled, &script, &limits).map_err(|stopped| stopped.to_string())
    };
    for (script, told) in [
        (
            "new Ghost() value 9\nraw Ghost 0x01",
            "1 new Ghost() value 9: deployed\n2 raw Ghost 0x01: done\n",
        ),
        ("new Fails()\nraw Fails", "1 new Fails(): reverted 0x0000"),
        ("new Fails()\nraw Fails", "2 raw Fails: not deployed\n"),
        (
            "new Huge()\nraw Huge",
            "1 new Huge(): deployed\n2 raw Huge: done\n",
        ),
    ] {
        let text = seen(script).unwrap();
        assert!(text.contains(told), "{text}");
    }
    let stopped = seen("new Spins()").unwrap_err();
    assert!(stopped.ends_with("out of gas"), "{stopped}");
}

#[test]
fn contracts_are_created_and_precompiles_asked_until_the_gas_is_gone() {
    // CREATE of nothing, for ever; MODEXP of numbers of 2^32 bytes.
    let modexp = "63ffffffff5f5263ffffffff60205263ffffffff6040525f5f60605f60055afa5f5260205ff3";
    for (runtime, told) in [
        ("5b5f5f5ff050600056", "1 raw A: halted, out of gas\n"),
        (modexp, "1 raw A: returned 0x0000"),
    ] {
        match seen(runtime, "raw A") {
            Ok(text) => assert!(text.contains(told), "{text}"),
            Err(stopped) => assert!(stopped.to_string().contains("gas"), "{stopped}"),
        }
    }
}

#[test]
fn a_call_that_needs_more_gas_than_there_is_tells_nothing() {
    // Counts down from 150,000: more than the gas, less than sixteen times it.
    let stopped = seen("620249f05b600190038060045700", "raw A").unwrap_err();
    assert!(stopped.to_string().ends_with("out of gas"), "{stopped}");
}

#[test]
fn storage_and_balances_are_in_the_digest() {
    // SSTORE(0, CALLVALUE)
    let store = |value: u32| seen("345f5500", &format!("raw A 0x value {value}")).unwrap();
    let line = |text: String| text.lines().last().unwrap().to_string();
    let (one, two) = (line(store(1)), line(store(2)));
    assert!(
        one.starts_with("state A: 1 slots ") && one.ends_with(", 1 wei"),
        "{one}"
    );
    assert_ne!(one, two);
    assert!(line(store(0)).starts_with("state A: 0 slots "));
}

#[test]
fn scripts_that_make_no_sense_are_refused() {
    for (script, said) in [
        ("raw B", "transaction 1, `raw B`: no contract `B`"),
        ("A.f()", "transaction 1, `A.f()`: no function `f`"),
        (
            "new A(1)",
            "transaction 1, `new A(1)`: arguments of types ()",
        ),
        (
            "new A(@7)",
            "transaction 1, `new A(@7)`: no account or contract `@7`",
        ),
    ] {
        let stopped = seen("00", script).unwrap_err();
        assert!(stopped.to_string().starts_with(said), "{stopped}");
    }
    let no_code = Compiled::parse(br#"{"contracts":[{"file":"a","name":"I"}]}"#).unwrap();
    let script = Script::parse(b"new I()").unwrap();
    let stopped = run(&no_code, &script, &limits()).unwrap_err();
    assert!(
        stopped.to_string().ends_with("`I` has no code to deploy"),
        "{stopped}"
    );
}

const ABI: &str = r#"[
    {"type":"constructor","inputs":[{"name":"a","type":"uint8"}],"stateMutability":"payable"},
    {"type":"function","name":"f","inputs":[{"name":"a","type":"int16[2][]"},{"name":"b","type":"string"}],"outputs":[],"stateMutability":"payable"},
    {"type":"function","name":"f","inputs":[{"name":"a","type":"tuple","components":[{"name":"x","type":"bytes3"},{"name":"y","type":"address"}]}],"outputs":[],"stateMutability":"view"},
    {"type":"function","name":"big","inputs":[{"name":"a","type":"uint256[1000000]"}],"outputs":[],"stateMutability":"pure"}]"#;

#[test]
fn derived_transactions_are_the_same_each_time_and_can_be_run() {
    let abi: serde_json::Value = serde_json::from_str(ABI).unwrap();
    let text = serde_json::json!({"contracts": [
        {"file": "a.sol", "name": "A", "abi": abi, "bin": creation("00")},
        {"file": "a.sol", "name": "I", "abi": abi, "bin": ""},
    ]});
    let compiled = Compiled::parse(text.to_string().as_bytes()).unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let derivation = Derivation {
            seed,
            count: 30,
            thorough: seed % 2 == 0,
            ..Derivation::default()
        };
        let text = derive_transactions(&compiled, &derivation);
        assert_eq!(text, derive_transactions(&compiled, &derivation));
        assert!(text.starts_with("new A("), "{text}");
        assert!(!text.contains("big") && !text.contains('I'), "{text}");
        let script = Script::parse(text.as_bytes()).unwrap();
        kinds.extend(
            script
                .transactions
                .iter()
                .map(|one| one.text.split('(').next().unwrap().to_string()),
        );
        run(&compiled, &script, &limits()).unwrap();
    }
    let kinds: Vec<String> = kinds.into_iter().collect();
    assert_eq!(kinds, ["A.f[", "A.f[int16[2][],string]", "new A"]);
}

#[test]
fn marks_are_seen_in_what_reverts_too_and_void_transactions_are_told() {
    let prefix = 0x11_u128 << 120;
    let limits = Limits {
        call_gas: 60_000,
        ..Limits::default()
    };
    // PUSH1 7, PUSH1 0, MSTORE, PUSH32 mark, PUSH1 32, MSTORE, then `ending`.
    let marking = |ending: &str| format!("60075f527f{prefix:032x}{:032x}602052{ending}", 5);
    // STOP, REVERT(0, 0), and a jump to where it comes from.
    for (ending, told, void) in [
        ("00", "1 raw A: done\n", None),
        ("5f5ffd", "1 raw A: reverted\n", None),
        ("5b602856", "", Some("out of gas")),
    ] {
        let compiled = compiled(&[("A", &marking(ending))]);
        let script = Script::parse(b"raw A").unwrap();
        let seen = trace(&compiled, &script, &limits, prefix);
        let step = &seen.steps[0];
        assert_eq!(step.text, told);
        assert_eq!(step.void.as_deref(), void, "{ending}");
        if void.is_none() {
            let [mark] = step.marks.as_slice() else {
                panic!("{:?}", step.marks);
            };
            assert_eq!((mark.id, mark.word[31]), (5, 7));
        }
        assert!(
            trace(&compiled, &script, &limits, 1).steps[0]
                .marks
                .is_empty()
        );
    }
    // Without end, and a mark in each round.
    let forever = format!("5b{}5f56", marking(""));
    let compiled = compiled(&[("A", &forever)]);
    let script = Script::parse(b"raw A\nraw A 0x01").unwrap();
    let seen = trace(&compiled, &script, &limits, prefix);
    assert_eq!(seen.steps.len(), 2);
    assert!(seen.steps.iter().all(|step| step.void.is_some()));
    let nonsense = Script::parse(b"B.f()\nraw A").unwrap();
    let seen = trace(&compiled, &nonsense, &limits, prefix);
    assert_eq!(seen.steps[0].void.as_deref(), Some("no contract `B`"));
}
