//! Real solc, three versions of it from npm, on programs of every kind: good
//! ones, refused ones, published internal errors, and what makes a compiler
//! recurse, loop or fill its memory; cold, and by one process for many.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use lydite_core::{Observation, Program, Role, SourceFile, TargetName};
use lydite_process::Scratch;
use lydite_target::install::{self, Cache};
use lydite_target::{Catalogue, RunLimits, Target};

fn ready(name: &str) -> Target {
    let catalogue = Catalogue::load(&[]).unwrap();
    let cache = Cache::open().unwrap();
    let name: TargetName = name.parse().unwrap();
    let installed = install::install(&catalogue, &name, &cache, &mut |line| eprintln!("{line}"));
    let mut targets = installed.unwrap_or_else(|error| panic!("{error:#}"));
    targets.pop().unwrap()
}

fn limits(wall_s: u64) -> RunLimits {
    RunLimits {
        wall: Duration::from_secs(wall_s),
        cpu: Duration::from_secs(wall_s),
        memory_bytes: Some(2 << 30),
        ..RunLimits::default()
    }
}

fn program(text: impl AsRef<[u8]>) -> Program {
    Program::single("case.sol", text.as_ref().to_vec())
}

fn observe(target: &Target, program: &Program, limits: &RunLimits) -> Observation {
    let scratch = Scratch::new().unwrap();
    target.observe(program, 0, Role::Tested, limits, &scratch)
}

fn seen(target: &Target, text: impl AsRef<[u8]>) -> String {
    observe(target, &program(text), &limits(120))
        .outcome
        .to_string()
}

const GOOD: &str = "contract Good { uint kept; function set(uint to) public { kept = to; } }";

/// Issue 9037: a struct of calldata assigned to storage.
const INTERNAL_ERROR: &str = "pragma experimental ABIEncoderV2;
contract Ledger {
    struct Entry { bytes32 key; }
    Entry latest;
    function record(Entry calldata entry) external { latest = entry; }
}";

fn too_deep() -> String {
    let locals: String = (0..20).map(|i| format!("uint v{i} = a + {i};")).collect();
    let sum: Vec<String> = (0..20).map(|i| format!("v{i}")).collect();
    let sum = sum.join("+");
    format!(
        "contract Deep {{ function f(uint a) public returns (uint) {{ {locals} return {sum}; }} }}"
    )
}

#[test]
fn every_kind_of_end_is_read() {
    let old = ready("solc@0.6.8");
    assert_eq!(seen(&old, GOOD), "accepted");
    assert_eq!(
        seen(&old, INTERNAL_ERROR),
        "crashed: LValue.cpp Structs in calldata not supported."
    );
    let unsupported = seen(&old, too_deep());
    assert!(
        unsupported.starts_with("unsupported: CompilerError: "),
        "{unsupported}"
    );
    let new = ready("solc@0.8.20");
    assert_eq!(
        seen(&new, "contract Bad { uint a = true; }"),
        "rejected: TypeError: Type bool is not implicitly convertible to expected type uint256."
    );
    // Issue 16223, without the text of the assertion, which comes and goes.
    let hooks = "struct Hook { function () internal pure run; }
        contract Hooks { function all(Hook[3] calldata hooks) internal {} }";
    assert_eq!(seen(&new, hooks), "crashed: Types.cpp");
    let odd = seen(&new, b"contract A { string s = \"\xff\"; }");
    assert!(
        odd.starts_with("rejected: SourceError: case.sol: not UTF-8"),
        "{odd}"
    );
    assert!(seen(&new, "").starts_with("accepted"));
}

#[test]
fn the_files_beside_a_program_can_be_imported_and_no_others() {
    let target = ready("solc@0.8.20");
    let mut two = program("import './lib.sol'; contract Both is One { }");
    two.files.push(SourceFile {
        name: "lib.sol".to_string(),
        text: (*b"contract One { }").into(),
    });
    assert_eq!(
        observe(&target, &two, &limits(120)).outcome.to_string(),
        "accepted"
    );
    two.files.pop();
    let alone = observe(&target, &two, &limits(120)).outcome.to_string();
    assert!(
        alone.starts_with("rejected: ParserError: Source \"lib.sol\" not found"),
        "{alone}"
    );
}

#[test]
fn what_is_too_much_for_the_compiler_is_a_limit_and_not_a_crash() {
    let target = ready("solc@0.4.24");
    let sum = format!(
        "contract A {{ function f(uint b) public {{ b = {}b; }} }}",
        "b+".repeat(200_000)
    );
    assert_eq!(seen(&target, sum), "out-of-memory");
    // It copies the name of the type for each of its parts.
    let arrays = format!(
        "contract A {{ function f() public {{ uint{} memory b; }} }}",
        "[]".repeat(20_000)
    );
    // Which of the two limits it meets first depends on the machine.
    let endless = observe(&target, &program(arrays), &limits(5));
    let endless = endless.outcome.to_string();
    assert!(
        ["timed-out", "out-of-memory"].contains(&endless.as_str()),
        "{endless}"
    );
    let little = RunLimits {
        memory_bytes: Some(60 << 20),
        ..limits(120)
    };
    let starved = observe(&target, &program(GOOD), &little);
    assert_eq!(starved.outcome.to_string(), "out-of-memory");
}

#[test]
fn one_process_answers_as_many_do_and_is_replaced_where_it_breaks_down() {
    let target = ready("solc@0.6.8");
    let endless = format!(
        "contract A {{ function f(uint b) public {{ b = {}b; }} }}",
        "b+".repeat(200_000)
    );
    let mut imports = program("import './lib.sol'; contract Both is One { }");
    imports.files.push(SourceFile {
        name: "lib.sol".to_string(),
        text: (*b"contract One { }").into(),
    });
    let programs = [
        program(GOOD),
        program("contract Bad { uint a = true; }"),
        program(endless),
        imports,
        program(INTERNAL_ERROR),
        program(too_deep()),
        program(GOOD),
    ];
    assert!(
        programs
            .iter()
            .all(|program| target.takes_batches_with(program))
    );
    let scratch = Scratch::new().unwrap();
    let references: Vec<&Program> = programs.iter().collect();
    let warm = target.observe_batch(&references, Role::Tested, &limits(120), &scratch);
    let cold: Vec<String> = programs
        .iter()
        .map(|program| observe(&target, program, &limits(120)).outcome.to_string())
        .collect();
    // A breakdown and a crash are left to cold runs.
    let left = [2, 4];
    for (at, seen) in warm.iter().enumerate() {
        let seen = seen.as_ref().map(|seen| seen.outcome.to_string());
        let expected = (!left.contains(&at)).then(|| cold[at].clone());
        assert_eq!(seen, expected, "program {at}: cold {}", cold[at]);
    }
    assert_eq!(warm.len(), programs.len());
}

#[test]
fn a_process_that_is_killed_in_the_middle_costs_one_program() {
    let target = ready("solc@0.4.24");
    let arrays = format!(
        "contract A {{ function f() public {{ uint{} memory b; }} }}",
        "[]".repeat(20_000)
    );
    let programs = [program(GOOD), program(arrays), program(GOOD)];
    let references: Vec<&Program> = programs.iter().collect();
    let scratch = Scratch::new().unwrap();
    let seen = target.observe_batch(&references, Role::Tested, &limits(20), &scratch);
    let outcomes: Vec<Option<String>> = seen
        .iter()
        .map(|seen| seen.as_ref().map(|seen| seen.outcome.to_string()))
        .collect();
    let accepted = Some("accepted".to_string());
    assert_eq!(outcomes, [accepted.clone(), None, accepted]);
}
