//! What holds of every template, in every version.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lydite_core::{BigUint, Case, Choices, Claim, PlainLanguage, Settings, Space, Strategy};
use lydite_solidity::Maker;
use lydite_solidity::ast::{Ast, ContractId, Expression, Intrinsic, Statement, StructId, Type};
use lydite_solidity::generate::{Options, draft};
use lydite_solidity::qualify::{Placeholder, reduce};
use lydite_solidity::rules::constraints;
use lydite_solidity::strategy::Templates;
use lydite_solidity::version::Dialect;

const VERSIONS: [&str; 8] = [
    "0.4.16", "0.4.26", "0.5.17", "0.6.12", "0.7.6", "0.8.0", "0.8.20", "0.8.37",
];

fn space(settings: &[(&str, &str)]) -> Box<dyn Space> {
    let given: BTreeMap<String, String> = settings
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    let settings = Settings::checked(&Templates, given).unwrap();
    let language = PlainLanguage {
        name: "solidity",
        about: "",
        extensions: &["sol"],
        line_comment: "//",
    };
    Templates
        .open(Arc::new(language), Arc::new([]), &settings)
        .unwrap()
}

fn text(case: &Case) -> String {
    let files = case.programs[0].files.iter();
    files
        .map(|file| String::from_utf8_lossy(&file.text).into_owned())
        .collect()
}

#[test]
fn the_witness_satisfies_every_constraint_of_its_template() {
    for version in VERSIONS {
        let dialect: Dialect = version.parse().unwrap();
        let maker = Maker::new(dialect.clone(), Options::default());
        let mut drafts = 0;
        for index in 0..60 {
            let mut choices = Choices::seeded(3, index);
            let Ok(draft) = draft(&mut choices, &dialect, maker.theory(), &Options::default())
            else {
                continue;
            };
            let set = constraints(&draft.ast, &dialect, &draft.declared);
            let reduced = reduce(&set, maker.theory());
            let mut value = vec![None; reduced.variables()];
            for (number, &witness) in draft.witness.iter().enumerate() {
                let variable = reduced.variable(Placeholder(number as u32)).unwrap();
                let own = &mut value[variable as usize];
                assert!(
                    own.is_none_or(|own| own == witness),
                    "{version} {index}: placeholder {number}"
                );
                *own = Some(witness);
                let domain = reduced.domain(variable);
                assert_eq!(
                    domain >> witness & 1,
                    1,
                    "{version} {index}: {:?} {number}, {witness} in {domain:b}",
                    reduced.kind(variable)
                );
            }
            for constraint in reduced.constraints() {
                let left = value[constraint.left.0 as usize].unwrap();
                let right = value[constraint.right.0 as usize].unwrap();
                let holds = maker.theory().holds(constraint.relation, left, right);
                assert!(holds, "{version} {index}: {constraint:?}");
            }
            drafts += 1;
        }
        assert!(drafts > 40, "{version}: {drafts} drafts");
    }
}

#[test]
fn an_index_gives_the_same_program_however_it_is_reached() {
    let space = space(&[("max", "7")]);
    let walked: Vec<Case> = space
        .walk(&BigUint::ZERO)
        .take(30)
        .map(|case| case.unwrap())
        .collect();
    for index in [0usize, 3, 6, 7, 20, 29] {
        let case = space.nth(&BigUint::from(index)).unwrap();
        assert_eq!(case, walked[index], "{index}");
        assert_eq!(case.claim, Claim::Accepted);
    }
    let later: Vec<Case> = space
        .walk(&BigUint::from(11u8))
        .take(4)
        .map(|case| case.unwrap())
        .collect();
    assert_eq!(later[..], walked[11..15]);
}

#[test]
fn the_programs_of_a_block_differ() {
    let space = space(&[("max", "40"), ("contracts", "1"), ("functions", "1")]);
    let mut texts: Vec<String> = space
        .walk(&BigUint::ZERO)
        .take(40)
        .map(|case| text(&case.unwrap()))
        .collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 40);
}

#[test]
fn a_tape_replays_to_the_same_bytes() {
    let space = space(&[]);
    for index in 0..10 {
        let mut choices = Choices::seeded(9, index);
        let case = space.sample(&mut choices).unwrap();
        let again = space
            .sample(&mut Choices::replay(choices.into_tape()))
            .unwrap();
        assert_eq!(case, again, "{index}");
    }
}

#[test]
fn a_broken_program_says_what_is_broken_and_claims_to_be_refused() {
    let broken = space(&[("broken", "1"), ("max", "3")]);
    for case in broken.walk(&BigUint::ZERO).take(12) {
        let case = case.unwrap();
        assert_eq!(case.claim, Claim::Rejected);
        assert!(case.steps[0].starts_with("broken: "), "{:?}", case.steps);
    }
}

#[test]
fn programs_break_every_rule_of_the_grammar_for_qualifiers_at_one_place_each() {
    let settings = [("max", "40"), ("functions", "1"), ("begin", "first")];
    let valid = space(&settings);
    let broken = space(&[&settings[..], &[("broken", "grammar")]].concat());
    let mut seen = BTreeSet::new();
    let cases = valid.walk(&BigUint::ZERO).zip(broken.walk(&BigUint::ZERO));
    for (good, bad) in cases.take(600) {
        let (good, bad) = (good.unwrap(), bad.unwrap());
        assert_eq!(bad.claim, Claim::Rejected);
        let (good, bad_text) = (text(&good), text(&bad));
        let (good, bad_lines): (Vec<&str>, Vec<&str>) =
            (good.lines().collect(), bad_text.lines().collect());
        let differing = good
            .iter()
            .zip(&bad_lines)
            .filter(|(one, other)| one != other);
        assert_eq!(differing.count(), 1, "{:?}\n{bad_text}", bad.steps);
        seen.extend(bad.steps);
    }
    for about in [
        "a type of no such size", "a location of a value", "a payable type that is none",
        "two locations", "no location", "two visibilities", "an external variable",
        "no visibility", "two mutabilities", "a constant function", "two persistences",
        "an indexed state variable", "a virtual state variable",
    ] {
        assert!(seen.contains(&format!("broken: {about}")), "{about}");
    }
}

/// The functions that are called by `super`, and of each function whether it has a body, by contract
/// and name: contracts are those of the text in its order.
fn supers(text: &str) -> (Vec<String>, BTreeMap<String, Vec<bool>>) {
    let mut called = Vec::new();
    let mut bodies: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for line in text.lines() {
        for rest in line.split("super.").skip(1) {
            called.push(rest.split('(').next().unwrap().to_string());
        }
        if let Some(head) = line.trim_start().strip_prefix("function ") {
            let name = head.split('(').next().unwrap().to_string();
            bodies.entry(name).or_default().push(!line.ends_with(';'));
        }
    }
    (called, bodies)
}

const LINES: &[(&str, &str)] = &[
    ("features", "none,inheritance,bases"),
    (
        "weights",
        "abstracts:6,interfaces:0,bases:3,second-bases:3,virtuals:4,calls:5,overrides:2",
    ),
    ("contracts", "6"),
    ("functions", "1"),
    ("max", "1"),
];

#[test]
fn what_two_bases_inherit_has_one_order() {
    let given = [
        LINES,
        &[("weights", "bases:3,second-bases:3,abstracts:0,interfaces:0")],
    ]
    .concat();
    let given = given
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()));
    let settings = Settings::checked(&Templates, given.filter(|(key, _)| key != "max").collect());
    let options = Options::read(&settings.unwrap()).unwrap();
    let maker = Maker::new("0.8.37".parse().unwrap(), options);
    let mut doubles = 0;
    for index in 0..600 {
        let Ok(template) = maker.template(&mut Choices::seeded(9, index)) else {
            continue;
        };
        for number in 0..template.ast.contracts.len() as u32 {
            let id = ContractId(number);
            let line = template.ast.lineage(id);
            let bases = &template.ast[id].bases;
            doubles += usize::from(bases.len() == 2);
            for base in bases {
                let own = template.ast.lineage(*base);
                let within = line.iter().filter(|contract| own.contains(contract));
                assert!(within.eq(&own), "{line:?} and {own:?}");
            }
        }
    }
    assert!(doubles > 100, "{doubles}");
}

#[test]
fn calls_by_super_of_functions_without_a_body_are_claimed_to_be_refused() {
    for version in ["0.5.0", "0.8.37"] {
        let given = [LINES, &[("broken", "super"), ("solc", version)]].concat();
        for case in space(&given).walk(&BigUint::ZERO).take(20) {
            let case = case.unwrap();
            assert_eq!(case.claim, Claim::Rejected);
            assert!(case.steps[0].contains("super"), "{:?}", case.steps);
            let (called, bodies) = supers(&text(&case));
            let empty = |name: &String| bodies[name].contains(&false);
            assert!(called.iter().any(empty), "{}", text(&case));
        }
    }
}

#[test]
fn what_overrides_a_function_without_a_body_may_have_none_and_super_goes_past_it() {
    let (mut empty, mut passed) = (0, 0);
    let given = [LINES, &[("solc", "0.8.37")]].concat();
    for case in space(&given).walk(&BigUint::ZERO).take(600) {
        let text = text(&case.unwrap());
        let is_empty = |line: &str| line.contains(" override") && line.ends_with(';');
        empty += usize::from(text.lines().any(is_empty));
        let (called, bodies) = supers(&text);
        // Declared twice without a body, and called all the same.
        let without = |name: &str| bodies[name].iter().filter(|has| !**has).count();
        passed += called.iter().filter(|name| without(name) > 1).count();
    }
    assert!(empty > 20 && passed > 0, "{empty}, {passed}");
}

#[test]
fn state_variables_are_constant_immutable_and_transient_as_far_as_the_version_has_it() {
    for (version, words) in [
        ("0.8.37", &["constant", "immutable", "transient"][..]),
        ("0.6.12", &["constant", "immutable"]),
        ("0.5.17", &["constant"]),
    ] {
        let settings = [("solc", version), ("vary", "persistences"), ("max", "20")];
        let mut seen = BTreeSet::new();
        for case in space(&settings).walk(&BigUint::ZERO).take(300) {
            let text = text(&case.unwrap());
            let mut block = text.lines().map(str::to_string).collect::<Vec<_>>();
            block.retain(|line| line.starts_with("    ") && !line.starts_with("     "));
            for line in block {
                let found = line
                    .split_whitespace()
                    .find(|word| ["constant", "immutable", "transient"].contains(word));
                seen.extend(found.map(str::to_string));
            }
        }
        let expected: BTreeSet<String> = words.iter().map(|word| word.to_string()).collect();
        assert_eq!(seen, expected, "{version}");
    }
}

#[test]
fn settings_out_of_range_are_refused_with_what_is_right() {
    for (key, value, expected) in [
        ("solc", "0.3.1", "a version from 0.4.16 on"),
        ("solc", "latest", "a version from 0.4.16 on"),
        ("max", "0", "from 1 to 100000"),
        ("max", "1000000000000", "from 1 to 100000"),
        ("contracts", "0", "a number from 1 to 50"),
        ("widths", "33", "a number from 1 to 32"),
        ("features", "arrows", "names of features"),
        ("broken", "2", "0, 1, grammar or super"),
        ("weights", "checks:101", "a factor from 0 to 100"),
        ("weights", "check:2", "checks"),
    ] {
        let given = BTreeMap::from([(key.to_string(), value.to_string())]);
        let settings = Settings::checked(&Templates, given).unwrap();
        let language = PlainLanguage {
            name: "solidity",
            about: "",
            extensions: &["sol"],
            line_comment: "//",
        };
        let error = Templates
            .open(Arc::new(language), Arc::new([]), &settings)
            .err()
            .unwrap();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// The name of what `{:?}` shows.
fn name(shown: &str) -> String {
    let end = shown.find(|c: char| !c.is_alphanumeric());
    shown[..end.unwrap_or(shown.len())].to_string()
}

/// `yul Let` of the line's words.
fn first_word(words: String) -> String {
    words.split('(').next().unwrap_or_default().to_string()
}

/// `functions State true`, of whichever contract.
fn without_number(words: String) -> String {
    let known = words.strip_prefix("functions ").map(|rest| {
        let mut words = rest.split_whitespace();
        let role = words.next().unwrap_or_default().to_string();
        format!("functions {role} {}", words.next_back().unwrap_or_default())
    });
    known.unwrap_or(words)
}

fn statement_kinds(ast: &Ast, drawn: &mut BTreeSet<String>) {
    for statement in &ast.statements {
        drawn.insert(name(&format!("{statement:?}")));
        match statement {
            Statement::For { start, .. } => {
                drawn.insert(format!("For start {}", start.is_some()));
            }
            Statement::Assembly(lines) => {
                let lines = lines.iter().map(|line| format!("yul {line:?}"));
                drawn.extend(lines.map(first_word));
            }
            Statement::Try { catches, .. } => {
                drawn.extend(catches.iter().map(|(kind, _)| format!("catch {kind:?}")));
            }
            _ => {}
        }
    }
}

fn expression_kinds(ast: &Ast, drawn: &mut BTreeSet<String>) {
    for expression in &ast.expressions {
        drawn.insert(name(&format!("{expression:?}")));
        match expression {
            Expression::Environment(value) => drawn.insert(format!("{value:?}")),
            Expression::Encode(encoding, _) => drawn.insert(format!("encode {encoding:?}")),
            Expression::Intrinsic(row, _) => drawn.insert(row.row().text.to_string()),
            Expression::Call { via, .. } => drawn.insert(name(&format!("{via:?}"))),
            Expression::With { options, named, .. } => {
                drawn.extend(options.iter().map(|(option, _)| format!("{option:?}")));
                drawn.insert(format!("named {named}"))
            }
            Expression::Text(notation, _) => drawn.insert(format!("{notation:?}")),
            Expression::Fact(fact, _) => drawn.insert(format!("fact {fact:?}")),
            Expression::Getter { via, .. } => drawn.insert(name(&format!("get{via:?}"))),
            _ => false,
        };
    }
}

fn declaration_kinds(ast: &Ast, drawn: &mut BTreeSet<String>) {
    let items = ast.files.iter().flatten();
    drawn.extend(items.map(|item| name(&format!("{item:?}"))));
    drawn.insert(format!("files {}", ast.files.len()));
    drawn.insert(format!("imports {:?}", ast.imports));
    drawn.insert(format!("anonymous {}", !ast.anonymous.is_empty()));
    drawn.insert(format!("documented {}", !ast.documented.is_empty()));
    drawn.insert(format!("overloads {}", !ast.overloads.is_empty()));
    drawn.insert(format!("shadows {}", !ast.shadows.is_empty()));
    drawn.insert(format!("layouts {}", !ast.layouts.is_empty()));
    let mut structs = (0..ast.structs.len() as u32).map(StructId);
    let recursive = structs.any(|id| ast.is_recursive(id));
    drawn.insert(format!("recursive {recursive}"));
    for contract in &ast.contracts {
        drawn.insert(format!("bases {}", contract.bases.len()));
    }
    for variable in &ast.variables {
        if let Type::Function(kind) = ast[variable.kind] {
            let outside = ast.is_external_type(kind);
            drawn.insert(format!("functions {:?} {outside}", variable.role).replace('(', " "));
        }
    }
}

#[test]
fn every_kind_of_statement_and_expression_is_drawn() {
    let dialect: Dialect = "0.8.37".parse().unwrap();
    let options = Options::default();
    let maker = Maker::new(dialect.clone(), options.clone());
    let mut drawn = BTreeSet::new();
    for index in 0..5000 {
        let mut choices = Choices::seeded(11, index);
        let Ok(draft) = draft(&mut choices, &dialect, maker.theory(), &options) else {
            continue;
        };
        statement_kinds(&draft.ast, &mut drawn);
        expression_kinds(&draft.ast, &mut drawn);
        declaration_kinds(&draft.ast, &mut drawn);
    }
    let drawn: BTreeSet<String> = drawn.into_iter().map(without_number).collect();
    let expected = "Expression Declare If For While DoWhile Block Unchecked Return Emit Revert \
        Require Assert Break Continue Underscore Try Assembly Comment Literal Variable Assign \
        Binary Unary Conditional Call Getter New NewArray Struct Index Member Cast Length Push \
        Pop Grow EnumMember Wrap Unwrap Environment Intrinsic Limit Reference CallValue Encode \
        EncodeCall Selector Decode Keccak Concat Tuple Sender Timestamp Number Data This Gas \
        Name On Super Library Attached getThis getOn Contract Enum ValueType Function Signal \
        With Text Fact Slice Inline RequireError Operator ReferenceOutside Value Gas Salt Hex \
        Unicode UnaryOperator Message Erc7201";
    let mut expected: Vec<String> = expected.split_whitespace().map(str::to_string).collect();
    let phrases = [
        "For start true", "For start false", "catch All", "catch Error", "catch Bytes",
        "catch Panic", "encode Plain", "encode Packed", "encode WithSelector",
        "encode WithSignature", "files 1", "files 2", "named true", "named false", "fact Name",
        "fact CreationCode", "fact RuntimeCode", "fact InterfaceId", "yul Assign", "yul Let",
        "yul If", "yul Store", "yul For", "yul Switch", "yul Function", "yul LetOwn",
        "yul MemorySafe", "imports All", "imports Named", "imports Renamed", "imports Module",
        "anonymous true", "documented true", "bases 2", "functions State true",
        "functions State false", "functions Field true", "functions Field false",
        "functions Parameter true", "functions Parameter false", "overloads true", "shadows true",
        "layouts true", "recursive true",
    ];
    expected.extend(phrases.map(str::to_string));
    let offered = Intrinsic::all().filter(|&intrinsic| dialect.offers(intrinsic));
    expected.extend(offered.map(|intrinsic| intrinsic.row().text.to_string()));
    let missing: Vec<&String> = expected
        .iter()
        .filter(|kind| !drawn.contains(*kind))
        .collect();
    assert!(missing.is_empty(), "never drawn: {missing:?}");
}

#[test]
fn qualifiers_that_do_not_vary_are_the_same_in_all_programs_of_a_template() {
    let space = space(&[("vary", "visibilities"), ("max", "100"), ("functions", "2")]);
    let words = ["public", "private", "internal", "external"];
    let plain = |text: &str| -> Vec<String> {
        let all = text.split_whitespace();
        all.filter(|word| !words.contains(word))
            .map(str::to_string)
            .collect()
    };
    let (mut templates, mut programs) = (BTreeSet::new(), BTreeSet::new());
    for case in space.walk(&BigUint::ZERO).take(100) {
        let text = text(&case.unwrap());
        templates.insert(plain(&text));
        programs.insert(text);
    }
    assert_eq!(programs.len(), 100);
    assert!(templates.len() <= 20, "{} templates", templates.len());
    for (names, is_known) in [("types,locations", true), ("type", false), ("", false)] {
        let given = [("vary".to_string(), names.to_string())];
        let settings = Settings::checked(&Templates, given.into()).unwrap();
        let language = PlainLanguage {
            name: "solidity",
            about: "",
            extensions: &["sol"],
            line_comment: "//",
        };
        let opened = Templates.open(Arc::new(language), Arc::new([]), &settings);
        assert_eq!(opened.is_ok(), is_known, "{names}");
    }
}

/// Each pattern matches what newer versions take and 0.4.19 refuses.
#[test]
fn programs_for_old_versions_have_nothing_that_these_refuse() {
    let weights = "swarm,overloads:3,named-arguments:3,stored-functions:3";
    let refused = [
        // A visibility behind a function type that returns nothing.
        r"(?m)^    function \([^()]*\)(?: \w+)* (?:public|internal|private) v\d+",
        r"mapping\([^;]*\) storage ",
        r"library L\d+ \{(?:[^}]|\n    +\})*\n    function f\d+\([^()]*\) external",
    ];
    for (pattern, version) in refused
        .iter()
        .flat_map(|one| [(one, "0.4.19"), (one, "0.8.20")])
    {
        let settings = [
            ("solc", version),
            ("max", "1"),
            ("contracts", "3"),
            ("weights", weights),
        ];
        let space = space(&settings);
        let pattern = regex::Regex::new(pattern).unwrap();
        let programs = (0..200).filter_map(|seed| {
            let mut choices = Choices::seeded(seed, 0);
            space.sample(&mut choices).ok()
        });
        let shown = programs
            .map(|case| text(&case))
            .find(|text| pattern.is_match(text));
        assert_eq!(
            shown.is_some(),
            version == "0.8.20",
            "{version} {pattern}: {shown:?}"
        );
    }
}

/// Before 0.7.2 the names of arguments do not tell functions of one name apart.
#[test]
fn names_of_arguments_and_overloads_meet_only_where_a_version_takes_them() {
    let call = regex::Regex::new(r"\b(f\d+)(?:\{[^}]*\})?\(\{").unwrap();
    for (version, may) in [("0.4.19", false), ("0.7.1", false), ("0.7.6", true)] {
        let settings = [
            ("solc", version),
            ("max", "1"),
            ("contracts", "1"),
            ("functions", "4"),
            ("features", "none,overloads,call-options"),
            ("weights", "overloads:3,named-arguments:3,call-options:3"),
        ];
        let space = space(&settings);
        let meets = (0..200).any(|seed| {
            let Ok(case) = space.sample(&mut Choices::seeded(seed, 0)) else {
                return false;
            };
            let text = text(&case);
            let mut called = call.captures_iter(&text).map(|found| found[1].to_string());
            called.any(|name| text.matches(&format!("function {name}(")).count() > 1)
        });
        assert_eq!(meets, may, "{version}");
    }
}
