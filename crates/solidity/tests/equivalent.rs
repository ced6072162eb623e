//! Profiles and variants of contracts, without a compiler.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::{Case, Choices, Claim, Language, Seed, Settings, Space, Strategy};
use lydite_solidity::Solidity;
use lydite_solidity::equivalent::{
    Equivalent, Held, Outline, Profile, ProfileError, Seen, instrument, limit_loops,
};

const BOX: &str = "pragma solidity ^0.8.0;
contract Base { uint64 private hidden; uint8 internal shared; }
contract Box is Base {
    uint256 public size; uint constant FIXED = 3; bytes4[] tags;
    constructor(uint8 first) { size = first; }
    modifier checked(int8 by) { require(by != 0); _; }
    function set(uint16 to, bytes memory) public returns (bool done) {
        uint16 twice = to; size = twice;
        for (uint8 i = 0; i < 3; i++) { int32 size = 1; size++; }
        try this.get(to) returns (uint v) { shared = 1; } catch { shared = 2; }
        return true;
    }
    function get(uint more) public view returns (uint) { return size + more; }
    function twice(uint16 of) public pure returns (uint) { while (of > 3) { of--; } return of; }
}
function free(bytes3 byte) pure returns (bytes3) { return byte; }
";

/// The variables that are live before the statement that begins with `text`;
/// those of storage with a star, those in memory with a plus, those that cannot be
/// written with a bang.
fn live_before(source: &str, text: &str) -> String {
    let outline = Outline::of(source.as_bytes()).unwrap();
    let offset = source.find(text).unwrap();
    let point = outline.points.iter().find(|point| point.offset == offset);
    let shown = point.unwrap().variables.iter().map(|variable| {
        let star = match variable.held {
            Held::Stack => "",
            Held::Storage => "*",
            Held::Memory => "+",
        };
        let bang = if variable.writable { "" } else { "!" };
        format!("{} {}{star}{bang}", variable.kind.name(), variable.name)
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_point_knows_what_is_live_and_what_may_be_written() {
    for (statement, expected) in [
        (
            "size = first",
            "uint256 tags.length*!, uint8 shared*, uint256 size*, uint8 first",
        ),
        ("require(by", "int8 by"),
        (
            "uint16 twice = to",
            "uint256 tags.length*!, uint8 shared*, uint256 size*, uint16 to, bool done",
        ),
        (
            "size = twice",
            "uint256 tags.length*!, uint8 shared*, uint256 size*, uint16 to, bool done, uint16 twice",
        ),
        // A local variable hides that of storage, also before it is declared.
        (
            "size++",
            "uint256 tags.length*!, uint8 shared*, uint16 to, bool done, uint16 twice, uint8 i, int32 size",
        ),
        (
            "shared = 1",
            "uint256 tags.length*!, uint8 shared*, uint256 size*, uint16 to, bool done, uint16 twice, uint256 v",
        ),
        (
            "shared = 2",
            "uint256 tags.length*!, uint8 shared*, uint256 size*, uint16 to, bool done, uint16 twice",
        ),
        (
            "return size",
            "uint256 tags.length*!, uint8 shared*!, uint256 size*!, uint256 more",
        ),
        ("of--", "uint16 of"),
        // The name means an opcode in the assembly of a probe.
        ("return byte", ""),
    ] {
        assert_eq!(live_before(BOX, statement), expected, "{statement}");
    }
}

/// Two names never stand for one place: of variables in memory one has parts, of storage
/// behind a local variable and of calldata nothing is known.
#[test]
fn members_elements_and_lengths_are_live_as_variables_are() {
    let source = "struct Pair { uint8 left; bytes rest; int16 right; }
library L { struct Twice { bool a; } }
contract C { struct Twice { bool b; }
    Pair pair; uint8[3] three; uint16[2][] many; mapping(uint => uint8) map; Twice none;
    function f(Pair memory a, Pair memory b, bytes calldata c, Pair storage d) internal {
        delete a; uint8[4] memory e; delete e; pair.left = 1;
    }
    function g(uint[] memory of) public pure { { Pair memory pair; pair.left = 2; } delete of; }
}";
    let state = "uint256 many.length*!, uint8 three[0]*, uint8 three[1]*, uint8 pair.left*, \
                 int16 pair.right*";
    let latest = state.split_once(", ").unwrap().1;
    for (statement, expected) in [
        (
            "delete a",
            format!("{latest}, uint8 b.left+, int16 b.right+"),
        ),
        ("delete e", format!("{latest}, uint8 e[0]+, uint8 e[1]+")),
        (
            "pair.left = 2",
            "uint8 pair.left+, int16 pair.right+".to_string(),
        ),
        ("delete of", "uint256 of.length+!".to_string()),
    ] {
        let live = live_before(source, statement);
        let parts = live.split(", ").filter(|one| one.contains(['.', '[']));
        let parts: Vec<&str> = parts.collect();
        let expected: Vec<&str> = expected.split(", ").collect();
        let kept = expected.len().saturating_sub(6);
        assert_eq!(parts, expected[kept..], "{statement}");
    }
}

/// What is written, called by its name, or declared meanwhile is not only read.
#[test]
fn an_identity_stands_where_a_variable_is_read_and_nothing_else() {
    let source = "contract C { uint8 s; event E(uint8 a);
    function f(uint8 a, uint8[] memory l) public returns (uint8) {
        a = s; a += a; a++; delete a; l[a] = ~a; emit E(a); this.f({a: s, l: l});
        for (uint8 s = 0; s < a; s++) { l[s] = s; } (a, s) = (s, a);
        return a > 2 ? f(a, l) : -1;
    } }";
    let outline = Outline::of(source.as_bytes()).unwrap();
    let uses = outline.uses.iter().map(|one| {
        let point = &outline.points[one.point];
        let name = &point.variables[one.variable].name;
        assert_eq!(&source[one.offset..one.end], name);
        let line = &source[point.offset..one.end];
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    assert_eq!(
        uses.collect::<Vec<_>>(),
        [
            "a = s", "a += a", "l[a", "l[a] = ~a", "emit E(a", "l[s", "l[s] = s", "return a",
            "return a > 2 ? f(a",
        ]
    );
}

#[test]
fn texts_with_probes_and_limits_are_still_solidity() {
    let outline = Outline::of(BOX.as_bytes()).unwrap();
    let fewer: BTreeMap<usize, Option<usize>> = outline
        .points
        .iter()
        .enumerate()
        .map(|(number, point)| (point.function, [Some(1), None][number % 2]))
        .collect();
    for most in [BTreeMap::new(), fewer] {
        let probes = instrument(BOX, &outline, &most);
        assert_eq!(
            probes.probes.len() + probes.unprobed.len(),
            outline.points.len()
        );
        Outline::of(probes.text.as_bytes()).unwrap();
        for place in ["contract Base", "return size", "while (of", "return byte"] {
            let there = probes.text.rfind(place).unwrap();
            assert_eq!(probes.origin(there), BOX.find(place).unwrap(), "{place}");
        }
    }
    let limited = limit_loops(BOX, &outline, 2);
    assert_eq!(limited.matches("> 2) break;").count(), 2);
    Outline::of(limited.as_bytes()).unwrap();
}

/// `Box.set` seen with two values, `Box.get` never.
fn profiled() -> String {
    let offset = BOX.find("size = twice").unwrap();
    let numbers = |values: [i64; 3]| values.map(Into::into).to_vec();
    let seen = Seen {
        variables: ["size", "to", "twice"].map(str::to_string).to_vec(),
        environments: Some([numbers([0, 7, 7]), numbers([7, 65535, 65535])].into()),
    };
    let unknown = BOX.find("for (uint8").unwrap();
    let profile = Profile {
        solc: "0.8.28".to_string(),
        transactions: "new Box(1)\nBox.set(7, 0x)\n".to_string(),
        points: BTreeMap::from([(offset, seen), (unknown, Seen::default())]),
    };
    let text = profile.attach(BOX);
    assert_eq!(Profile::detach(&text), Ok((BOX, profile)));
    text
}

#[test]
fn a_profile_is_read_back_and_damage_is_noticed() {
    let text = profiled();
    for (damaged, error) in [
        (BOX.to_string(), ProfileError::Missing),
        (format!("\n{text}"), ProfileError::Stale(BOX.len())),
        (
            text.replace("//# = 0 7 7", "//# = 0 7"),
            ProfileError::Line(7),
        ),
        (
            text.replace("//# = 0 7 7", "//# = 0 7 x"),
            ProfileError::Line(7),
        ),
        (
            format!("{text}contract Last {{}}\n"),
            ProfileError::Line(10),
        ),
        (
            text.replace("profile 1", "profile 2"),
            ProfileError::Line(1),
        ),
    ] {
        assert_eq!(Profile::detach(&damaged), Err(error));
    }
}

fn space(set: &[(&str, &str)]) -> Box<dyn Space> {
    let seed = Seed {
        name: "box.sol".to_string(),
        text: profiled().into_bytes().into(),
        claim: None,
    };
    let given = set
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()));
    let settings = Settings::checked(&Equivalent, given.collect()).unwrap();
    let language = Arc::new(Solidity::default());
    Equivalent.open(language, [seed].into(), &settings).unwrap()
}

#[test]
fn variants_hold_the_contract_in_them_and_come_again_from_their_tape() {
    let space = space(&[]);
    let language = Solidity::default();
    for index in 0..60 {
        let mut choices = Choices::seeded(9, index);
        let case: Case = space.sample(&mut choices).unwrap();
        assert_eq!(case.claim, Claim::Equivalent);
        assert_eq!(case.steps.len() + 1, case.programs.len());
        assert_eq!(&*case.programs[0].source().text, BOX.as_bytes());
        let mut last = 0;
        for program in &case.programs {
            language.check(program).unwrap();
            assert_eq!(&*program.files[1].text, b"new Box(1)\nBox.set(7, 0x)\n");
            assert!(program.bytes() > last, "each has more code than the last");
            last = program.bytes();
        }
        let again = space
            .sample(&mut Choices::replay(choices.into_tape()))
            .unwrap();
        assert_eq!(again, case);
    }
}

/// Nothing is known of the loop, so nothing stands before it.
#[test]
fn no_code_goes_where_values_are_not_known() {
    let space = space(&[("rounds", "8")]);
    for index in 0..40 {
        let case = space.sample(&mut Choices::seeded(1, index)).unwrap();
        for program in &case.programs {
            let text = String::from_utf8_lossy(&program.source().text).into_owned();
            let before = text.split("for (uint8").next().unwrap();
            assert!(before.ends_with("\n        "), "{text}");
        }
    }
}

#[test]
fn each_mutation_can_be_asked_for() {
    for (mutation, name) in [
        ("false-block", "false block"),
        ("true-guard", "true guard"),
        ("true-block", "true block"),
        ("identity", "identity"),
        ("deletion", "deletion"),
    ] {
        let space = space(&[("mutations", mutation)]);
        let cases = (0..40).map(|index| space.sample(&mut Choices::seeded(2, index)).unwrap());
        let steps: Vec<String> = cases.flat_map(|case| case.steps).collect();
        assert!(steps.iter().any(|step| step.contains(name)), "{steps:?}");
    }
    let given = BTreeMap::from([("mutations".to_string(), "none".to_string())]);
    let settings = Settings::checked(&Equivalent, given).unwrap();
    let seed = Seed {
        name: "box.sol".to_string(),
        text: profiled().into_bytes().into(),
        claim: None,
    };
    let opened = Equivalent.open(Arc::new(Solidity::default()), [seed].into(), &settings);
    assert!(opened.is_err());
}

/// What a case's variants have that the contract has not.
fn variants(mutation: &str, stream: u64) -> Vec<String> {
    let space = space(&[("mutations", mutation), ("variants", "1")]);
    let cases = (0..60).map(|index| space.sample(&mut Choices::seeded(stream, index)).unwrap());
    let texts = cases.map(|case| String::from_utf8_lossy(&case.programs[1].source().text).into());
    texts.collect()
}

#[test]
fn new_functions_stand_behind_the_function_that_calls_them() {
    let texts = variants("true-block", 3);
    let mut found = 0;
    for text in &texts {
        Outline::of(text.as_bytes()).unwrap();
        let Some((before, behind)) = text.split_once("/*+*/ function ") else {
            continue;
        };
        let name = behind.split_once('(').unwrap().0;
        assert!(
            before.ends_with('}') && before.contains(&format!("{name}(")),
            "{text}"
        );
        assert!(behind.contains(") internal pure returns ("), "{text}");
        found += 1;
    }
    assert!(found > 2, "{texts:#?}");
}

#[test]
fn what_was_never_reached_goes_and_nothing_else() {
    for text in variants("deletion", 4) {
        let (before, behind) = text.split_once("/*~").unwrap();
        let (gone, _) = behind.split_once("~*/").unwrap();
        let reached = ["size = twice", "for (uint8 i"];
        assert!(!reached.iter().any(|one| gone.starts_with(one)), "{text}");
        assert!(before.len() > BOX.find("size = first").unwrap(), "{text}");
    }
    let identities = variants("identity", 5);
    assert!(
        identities.iter().all(|text| text.contains("/*+*/(")),
        "{identities:#?}"
    );
}

#[test]
fn hostile_texts_are_refused_or_outlined_but_never_fatal() {
    let deep = format!(
        "contract A {{ function f() public {{ {} }} }}",
        "{".repeat(20_000)
    );
    let many = format!(
        "contract A {{ function f() public {{ {} }} }}",
        "uint a; a;".repeat(20_000)
    );
    for text in [&b"\xff\xfe"[..], b"", deep.as_bytes(), b"contract"] {
        let _ = Outline::of(text);
    }
    let outline = Outline::of(many.as_bytes()).unwrap();
    assert!(outline.points.len() <= 4000);
    let circle = "contract A is B { uint a; function f() public { a = 1; } } contract B is A {}";
    assert_eq!(Outline::of(circle.as_bytes()).unwrap().points.len(), 1);
}
