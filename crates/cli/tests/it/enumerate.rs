//! The strategy `enumerate` as a user meets it: what docs/enumerate.md shows,
//! and campaigns over grammars on real processors.

use std::fs;

use crate::lydite::Folder;

const DOCS: &str = include_str!("../../../../docs/enumerate.md");

/// The block of the documentation that begins with this line, without it.
fn block(first: &str) -> &'static str {
    let start = DOCS.find(first).expect("the documentation shows it") + first.len();
    let rest = DOCS[start..].trim_start_matches('\n');
    &rest[..rest.find("```").expect("the block ends")]
}

#[test]
fn count_prints_what_the_documentation_shows() {
    let folder = Folder::new();
    let command =
        "lydite count enumerate --set grammar=ints --size ..7 --set unique=renaming,commutativity";
    let shown = block(&format!("$ {command}"));
    let args: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(folder.run(&args).expect(0).stdout, shown);
    let json = folder
        .run(&[&args[..], &["--json"]].concat())
        .expect(0)
        .json();
    assert_eq!(json["count"], "672");
    assert_eq!(json["unique"], "362");
    assert_eq!(json["parts"][2]["cases"], "480");
    let endless = folder
        .run(&["count", "enumerate", "--json"])
        .expect(0)
        .json();
    assert_eq!(endless["count"], "infinite");
    let finite = folder
        .run(&[
            "count", "enumerate", "--set", "grammar=ints", "--set", "size=7",
        ])
        .expect(0);
    assert_eq!(finite.stdout, "480\n");
}

#[test]
fn programs_far_out_are_made_and_written() {
    let folder = Folder::new();
    let args = [
        "generate", "enumerate", "--set", "grammar=strings", "-n", "3", "--from", "10^275", "-o",
    ];
    folder.run(&[&args[..], &["out"]].concat()).expect(0);
    let mut names: Vec<_> = fs::read_dir(folder.path().join("out")).unwrap().collect();
    names.sort_by_key(|entry| entry.as_ref().unwrap().file_name());
    let written: String = names
        .into_iter()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let printed = folder.run(&[&args[..], &["-"]].concat()).expect(0).stdout;
    let programs: String = printed
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("; case 1000000"))
        .collect();
    assert_eq!(written, programs);
    assert!(written.matches("(check-sat)").count() == 3 && written.len() > 3000);
}

#[test]
fn sizes_are_ranges_and_can_be_drawn_from() {
    let folder = Folder::new();
    let stats = |more: &[&str]| {
        let args = [
            "generate", "enumerate", "--set", "grammar=core", "--stats", "-n", "1000",
        ];
        folder.run(&[&args[..], more].concat()).expect(0).json()
    };
    assert_eq!(stats(&["--size", "..3"])["cases"], 8);
    assert_eq!(stats(&["--size", "..3", "--sample"])["cases"], 1000);
    assert_eq!(stats(&["--size", "..3", "--from", "6"])["cases"], 2);
    let unique = stats(&["--size", "..3", "--set", "unique=renaming"]);
    assert_eq!(
        (&unique["cases"], &unique["rejects"]),
        (&6.into(), &2.into())
    );
    folder
        .run(&["count", "enumerate", "--size", "3", "--set", "size=3"])
        .expect(2)
        .says(&["give one of them"]);
    folder
        .run(&["count", "enumerate", "--set", "grammar=int"])
        .expect(2)
        .says(&["did you mean `ints`?"]);
}

#[test]
fn a_grammar_file_with_a_mistake_is_refused_at_its_line() {
    let folder = Folder::new();
    for (text, place) in [
        ("grammar X;\nstart 'a';\n", "2:7: expected `:`"),
        ("grammar X;\nstart: int_trm;\nint_term: '0';\n", "2:8:"),
        ("grammar X;\nstart: 'a' | loop;\nloop: 'b' loop;\n", "loop"),
    ] {
        folder.write("bad.grammar", text);
        for command in ["count", "generate"] {
            folder
                .run(&[command, "enumerate", "--set", "grammar=bad.grammar"])
                .expect(2)
                .says(&["bad.grammar", place]);
        }
    }
    folder
        .run(&["count", "enumerate", "--set", "grammar=none.grammar"])
        .expect(2)
        .says(&["none.grammar", "cannot be read"]);
}

#[test]
fn a_grammar_of_a_language_that_nobody_knows_is_made_and_put_to_nobody() {
    let folder = Folder::new();
    folder.write(
        "loops.grammar",
        "grammar Loops; options { language = brainloop; }\nstart: '+' | '[' start ']' | start '.' ;",
    );
    let args = [
        "generate", "enumerate", "--set", "grammar=loops.grammar", "-n", "4", "-o", "-",
    ];
    let made = folder.run(&args).expect(0).stdout;
    let programs: Vec<&str> = made.lines().filter(|line| !line.contains("case")).collect();
    assert_eq!(programs, ["+", "[ + ]", "+ .", "[ [ + ] ]"]);
    let zoo = crate::lydite::zoo_targets();
    folder
        .run(&[
            "hunt", "-t", "zoo-solver", "--strategy", "enumerate", "--set",
            "grammar=loops.grammar", "--target-files", &zoo, "-o", "out",
        ])
        .expect(2)
        .says(&["brainloop", "smtlib"]);
}

/// Every case of a campaign over the beginning of a grammar is taken by all
/// targets.
fn all_accepted(targets: &[&str], grammar: &str, cases: u64) {
    let folder = Folder::new();
    folder
        .run(&[&["targets", "install", "-q"], targets].concat())
        .expect(0);
    let (setting, cases) = (format!("grammar={grammar}"), cases.to_string());
    let mut args = vec![
        "hunt", "--strategy", "enumerate", "--set", &setting, "--cases", &cases, "--timeout", "8s",
        "--oracles", "crash,differential", "-o", "out", "-q", "--json",
    ];
    for target in targets {
        args.extend(["-t", target]);
    }
    let summary = folder.run(&args).expect(0).json();
    assert_eq!(summary["cases"].to_string(), cases);
    assert_eq!(summary["rejects"], 0);
    for outcome in summary["outcomes"].as_array().unwrap() {
        let outcome = outcome["outcome"].as_str().unwrap();
        let fine = ["answered", "undecided", "timed-out"];
        assert!(fine.contains(&outcome), "{grammar}: {summary}");
    }
}

#[test]
fn solvers_take_the_smallest_scripts_of_every_theory() {
    let grammars = [
        "core", "ints", "reals", "realints", "bitvectors", "arrays", "fp", "strings",
        "quantifiers", "incremental", "functions", "datatypes", "sequences", "sets", "mixed",
    ];
    for grammar in grammars {
        all_accepted(&["z3@5.4.0", "cvc5@1.4.2"], grammar, 12);
    }
}

#[test]
fn lua_and_sqlite_take_the_smallest_programs_of_their_grammars() {
    all_accepted(&["lua@5.4.4"], "lua", 40);
    all_accepted(&["sqlite@3.40.1"], "sql", 40);
}
