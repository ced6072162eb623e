//! Reports read as their trackers read them.

use super::*;
use crate::finding::FindingFile;
use lydite_process::Scratch;
use lydite_store::record::VersionRun;
use lydite_target::{Catalogue, Version};

fn run(target: &str, outcome: &str, said: &str) -> TriggerRun {
    TriggerRun {
        program: 0,
        target: target.parse().unwrap(),
        source: None,
        options: Vec::new(),
        outcome: outcome.to_string(),
        said: said.to_string(),
        stdout: RelativePath::new(format!("{}.out", target.split('@').next().unwrap())).unwrap(),
        stderr: RelativePath::new("none").unwrap(),
    }
}

fn file(target: &str, kind: Kind, runs: Vec<TriggerRun>) -> FindingFile {
    let mut finding = Finding::sample("the-id", target, kind);
    finding.strategy = "typed".to_string();
    FindingFile {
        finding,
        runs,
        ..FindingFile::sample()
    }
}

/// The report of a finding whose files hold `input` and `output`.
fn report(file: &FindingFile, input: &[u8], output: &[u8]) -> String {
    let scratch = Scratch::new().unwrap();
    let folder = scratch.folder().unwrap();
    for (name, text) in [
        ("case.smt2", input),
        ("z3.out", output),
        ("cvc5.out", b"sat\n((a 1))\n"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let catalogue = Catalogue::load(&[]).unwrap();
    let family = catalogue.family(&file.finding.target).unwrap();
    let bug = Bug {
        full: &FullFinding::in_folder(file.clone(), folder.path()),
        resolved: None,
        cases: Some(1000),
        family,
    };
    bug.text()
}

#[test]
fn the_form_is_the_trackers_and_what_is_missing_is_said() {
    let runs = vec![
        run("z3@4.8.9", "answered", "unsat"),
        run("cvc5@1.2.0", "answered", "sat"),
    ];
    let mut file = file("z3@4.8.9", Kind::RefutationUnsound, runs);
    let text = report(&file, b"(check-sat)\n", b"unsat\n");
    for part in [
        "Title: [Bug] z3 4.8.9 says unsat for a satisfiable input\n",
        "### Bug Category\n\nIncorrect result",
        "### Minimal Reproduction\n\n```smt2\n(check-sat)\n```\n",
        "not reduced: `lydite reduce the-id`",
        "### Expected Behavior\n\ncvc5@1.2.0 says sat.\n\ncvc5@1.2.0 prints:\n\n```\nsat\n((a 1))\n```",
        "### Actual Behavior\n\nunsat\n\n```\nunsat\n```",
        "Other versions were not tried (`lydite bisect the-id`)",
        "Needs no options.",
        "Seen in 1 of 1000 test cases.",
        "3 of 3 further runs in fresh processes show it.",
        "Found by fuzzing",
    ] {
        assert!(text.contains(part), "{part}\n is not in\n{text}");
    }
    let of = |version: &str, seen: Seen, said: &str| VersionRun {
        version: Version::new(version),
        seen,
        said: said.to_string(),
    };
    file.versions = vec![
        of("4.8.5", Seen::Good, "sat"),
        of("4.8.7", Seen::Good, "sat"),
        of("4.8.8", Seen::Good, "sat"),
        of("4.8.9", Seen::Bad, "unsat | x"),
    ];
    file.finding.since = Some("4.8.9".to_string());
    file.finding.replays.shown = 1;
    file.finding.nondeterministic = true;
    let text = report(&file, b"", b"");
    assert!(
        text.contains("| 4.8.5 to 4.8.8 (3 tried) | does not | sat |"),
        "{text}"
    );
    assert!(
        text.contains("| 4.8.9 | shows it | unsat \\| x |"),
        "{text}"
    );
    assert!(
        text.contains("Since 4.8.9; in every later version"),
        "{text}"
    );
    assert!(text.contains("It comes and goes: 1 of 3"), "{text}");
}

#[test]
fn what_is_said_once_is_not_said_again() {
    let runs = vec![run("cvc5@1.4.2", "crashed", "boom")];
    let mut file = file("cvc5@1.4.2", Kind::Crash, runs);
    file.finding.signature = "v1 crash cvc5 site=\"a.cpp boom\"".parse().unwrap();
    file.finding.evidence = "cvc5@1.4.2: a.cpp boom.; with --check-proofs".to_string();
    file.finding.strategy = "files".to_string();
    let text = report(&file, b"(check-sat)\n", b"");
    for part in [
        "Title: Crash: a.cpp boom\n",
        "\ncvc5 1.4.2 crashes: a.cpp boom; with --check-proofs.\n",
        "\nExpected: An answer, or an error message that is",
        "\nActual: boom\n",
    ] {
        assert!(text.contains(part), "{part}\n is not in\n{text}");
    }
    assert!(
        !text.contains("Seen in"),
        "somebody picked the file: {text}"
    );

    let runs = vec![run("cvc5@1.4.2", "answered", "unsat")];
    let mut file = self::file("cvc5@1.4.2", Kind::RefutationUnsound, runs);
    file.finding.signature = "v1 refutation-unsound cvc5 site=\"core is sat\""
        .parse()
        .unwrap();
    let text = report(&file, b"", b"");
    for part in [
        "Title: Wrong unsat core: gives an unsat core that is satisfiable\n",
        "\nExpected: A core that is unsat by itself.\n",
    ] {
        assert!(text.contains(part), "{part}\n is not in\n{text}");
    }

    let runs = vec![run("z3@5.4.0", "answered", "sat")];
    let mut file = self::file("z3@5.4.0", Kind::InvalidModel, runs);
    file.finding.evidence = "z3@5.4.0 says sat, but".to_string();
    file.finding.signature = "v1 invalid-model z3 features=\"ints sets\""
        .parse()
        .unwrap();
    let text = report(&file, b"", b"");
    assert!(text.contains("the input (ints, sets)\n"), "{text}");
    assert!(text.contains("\nz3 5.4.0 says sat, but.\n"), "{text}");
    assert!(text.contains("makes every assertion true"), "{text}");
}

#[test]
fn of_a_wrong_output_the_query_is_the_title_and_others_are_named() {
    let runs = vec![
        run("datafusion@55.0.0", "answered", "exit 0, output \"1\""),
        run("duckdb@2.0.0", "answered", "exit 0, output \"\""),
    ];
    let mut file = file("datafusion@55.0.0", Kind::WrongOutput, runs);
    file.language = "sql".to_string();
    file.finding.signature = "v1 wrong-output datafusion".parse().unwrap();
    let text = report(&file, b"CREATE TABLE t (a INT);\nSELECT a FROM t;\n\n", b"");
    assert!(
        text.starts_with("Title: gives a wrong result: SELECT a FROM t\n"),
        "{text}"
    );
    let summary = "\ndatafusion 55.0.0 gives another result than duckdb@2.0.0.\n";
    assert!(text.contains(summary), "{text}");

    file.finding.kind = Kind::Crash;
    file.finding.signature = "v1 crash datafusion site=\"No field\"".parse().unwrap();
    file.finding.evidence = "datafusion@55.0.0: No field".to_string();
    let text = report(&file, b"", b"");
    for part in [
        "Title: fails: No field\n",
        "\ndatafusion 55.0.0 fails: No field.\n",
    ] {
        assert!(text.contains(part), "{part}\n is not in\n{text}");
    }
}

#[test]
fn every_family_has_a_form_that_holds_the_case_and_what_happened() {
    let catalogue = Catalogue::load(&[]).unwrap();
    for family in catalogue
        .families()
        .filter(|f| f.policy.per_week != Some(0))
    {
        let target = format!("{}@1.0", family.family);
        let file = file(
            &target,
            Kind::Crash,
            vec![run(&target, "crashed", "boom-said")],
        );
        let text = report(&file, b"the-input\n", b"");
        for part in [
            "the-input", "boom-said", "1.0", "fuzz", "3 of 3", "not tried", "no options",
        ] {
            assert!(
                text.contains(part),
                "{}: {part} is not in\n{text}",
                family.family
            );
        }
        assert!(family.tracker.is_some(), "{}", family.family);
        assert!(!family.policy.priority.is_empty(), "{}", family.family);
        assert!(!family.policy.require.is_empty(), "{}", family.family);
    }
}

#[test]
fn fences_escapes_and_megabytes_do_not_break_the_text() {
    let hostile = b"```\n# heading\n\x1b[2J\xff \xe2\x80\xae\n````\n";
    let mut file = file(
        "z3@4.8.9",
        Kind::Crash,
        vec![run("z3@4.8.9", "crashed", "# x\n```")],
    );
    file.finding.evidence = "```\n# heading <script>\u{1b}[2J".to_string();
    file.finding.signature = "v1 crash z3 site=\"`{version}` #1\"".parse().unwrap();
    let text = report(&file, hostile, &hostile.repeat(100_000));
    assert!(text.len() < 40_000, "{}", text.len());
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
    assert!(
        text.contains("it has characters that are not shown here"),
        "{text}"
    );
    // What is filled into the title is not filled again.
    assert!(
        text.starts_with("Title: [Bug] z3 4.8.9 crashes: `{version}` #1\n"),
        "{text}"
    );
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        match fence {
            Some(open) => fence = (line != open).then_some(open),
            None if line.starts_with("```") => {
                fence = Some(line.trim_end_matches(|c: char| c != '`'));
            }
            None => assert!(
                !line.starts_with("# ") && !line.replace("\\<", "").contains("<script"),
                "outside of a fence: {line}"
            ),
        }
    }
    assert_eq!(fence, None, "every fence is closed");
}

#[test]
fn where_a_target_is_installed_is_nobody_elses_business() {
    let file = file(
        "z3@4.8.9",
        Kind::Crash,
        vec![run("z3@4.8.9", "crashed", "SIGSEGV")],
    );
    let trace =
        b" #0 f (/home/me/.cache/lydite/targets/z3/4.8.9/root/bin/z3+0x4)\n at /lib/libc.so.6\n";
    let text = report(&file, b"(check-sat)\n", trace);
    assert!(
        text.contains(" #0 f (…/bin/z3+0x4)\n at /lib/libc.so.6\n"),
        "{text}"
    );
    assert!(!text.contains("/home/me"), "{text}");
}
