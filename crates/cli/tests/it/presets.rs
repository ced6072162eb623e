//! Every oracle of every preset can fire: a planted bug of the kind that it
//! claims to see is found, in cases that the preset's own strategies make.
//!
//! The processors are actors of the zoo, who always do the same, so no answer
//! depends on a real one; strategies, seeds, claims, and what targets are asked
//! for are the preset's.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::lydite::Folder;
use crate::lydite::target_file::TargetFile;

/// An oracle, who plays (targets; references behind the bar) where answers are
/// verdicts and where they are outputs, and the kinds of which one is to be found.
const PLANTED: &[(&str, &str, &str, &[&str])] = &[
    ("crash", "a:abort", "a:abort", &["crash"]),
    (
        "answer",
        "a:sat b:unsat c:refuse",
        "a:print-1 b:refuse",
        &[
            "refutation-unsound", "solution-unsound", "wrong-output", "rejects-valid",
        ],
    ),
    (
        "model",
        "a:sat b:unsat",
        "",
        &["invalid-model", "solution-unsound"],
    ),
    (
        "core",
        "a:sat b:unsat",
        "",
        &["refutation-unsound", "disagreement"],
    ),
    (
        "objective",
        "a:boast",
        "",
        &["wrong-optimum", "disagreement"],
    ),
    (
        "differential",
        "a:sat b:unsat",
        "a:print-1 b:print-2",
        &["disagreement"],
    ),
    (
        "vote",
        "a:sat b:unsat|c:sat",
        "a:print-1 b:print-2|c:print-1",
        &["refutation-unsound", "wrong-output"],
    ),
    ("wrong-code", "", "a:print-2|b:print-1", &["wrong-output"]),
    ("round-trip", "", "a:write-1 b:code", &["wrong-output"]),
    ("same-code", "", "a:code", &["disagreement"]),
    ("safety", "", "a:trust", &["refutation-unsound"]),
    ("hang", "a:hang b:sat", "a:hang b:print-1", &["hang"]),
    (
        "incomplete-implication",
        "a:doubt",
        "",
        &["incomplete-implication"],
    ),
    (
        "incomplete-regression",
        "ages@0.9 ages@1.0",
        "",
        &["incomplete-regression"],
    ),
];

/// What actors can do: the variant's name, its option, and its own kind.
const PARTS: &[(&str, &str, &str)] = &[
    ("sat", "sat", ""),
    ("unsat", "unsat", ""),
    ("boast", "boast", ""),
    ("doubt", "doubt", ""),
    ("print-1", "print=1", ""),
    ("print-2", "print=2", ""),
    ("write-1", "print=1", "kind = \"program\"\n"),
    ("code", "echo", "kind = \"code\"\n"),
    ("refuse", "refuse", "kind = \"accepted\"\n"),
    ("trust", "trust", "kind = \"accepted\"\n"),
    ("abort", "abort", ""),
    ("hang", "hang", ""),
];

/// Languages by the beginning of a preset's name, with the file's name.
const LANGUAGES: &[(&str, &str, &str)] = &[
    ("smt", "smtlib", "case.smt2"),
    ("audit-smt", "smtlib", "case.smt2"),
    ("audit-solidity", "solidity", "case.sol"),
    ("audit-c", "c", "case.c"),
    ("audit-gates", "c", "case.c"),
    ("audit-sql", "sql", "case.sql"),
    ("evaluator", "smtlib", "case.smt2"),
    ("c-", "c", "case.c"),
    ("cpp", "cpp", "case.cpp"),
    ("lua", "lua", "case.lua"),
    ("javascript", "javascript", "case.js"),
    ("rust", "rust", "case.rs"),
    ("scala", "scala", "case.scala"),
    ("awk", "awk", "case.awk"),
    ("jq", "jq", "case.jq"),
    ("scheme", "scheme", "case.scm"),
    ("sh", "sh", "case.sh"),
    ("sed", "sed", "case.sed"),
    ("sol-yul", "yul", "case.yul"),
    ("sol", "solidity", "case.sol"),
    ("sql", "sql", "case.sql"),
];

fn actor(family: &str, language: &str, file: &str) -> String {
    let kind = if language == "smtlib" {
        "verdicts"
    } else {
        "output"
    };
    let parts = PARTS
        .iter()
        .map(|(name, option, kind)| format!("[variant.{name}]\noptions = [\"{option}\"]\n{kind}"));
    TargetFile::new(family)
        .language(language, file)
        .commands(&["zoo-actor"])
        .step(&["{bin}", "{options}", "{file}"])
        .read(&format!(
            "kind = \"{kind}\"\nrejected = ['^error: .*']\nharmless = ['not available']"
        ))
        .version(&["{bin}", "--version"], r"zoo-actor (\S+)")
        .smoke("smoke")
        .tables(&parts.collect::<String>())
        .text()
}

/// The value of a key of a plan, with the lines that it stands on.
fn value_of<'a>(plan: &'a str, key: &str) -> Option<&'a str> {
    let start = plan.find(&format!("\n{key} = "))? + 1;
    let rest = &plan[start..];
    let end = match rest.split('\n').next()?.contains('[') {
        true => rest.find("]\n")? + 2,
        false => rest.find('\n')? + 1,
    };
    Some(&rest[..end])
}

/// The preset with other targets, and without what takes time.
fn with_targets(preset: &str, actors: &str) -> String {
    let mut plan = format!("\n{preset}");
    for key in [
        "targets", "references", "oracles", "for", "cases", "reduce", "warm", "confirm", "options",
    ] {
        if let Some(lines) = value_of(&plan, key).map(str::to_string) {
            plan = plan.replacen(&lines, "", 1);
        }
    }
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds");
    let plan = below(&plan, &seeds);
    let (targets, references) = actors.split_once('|').unwrap_or((actors, ""));
    let list = |names: &str| {
        let names: Vec<String> = names
            .split_whitespace()
            .map(|name| format!("\"{name}\""))
            .collect();
        names.join(", ")
    };
    format!(
        "targets = [{}]\nreferences = [{}]\n{plan}",
        list(targets),
        list(references)
    )
}

/// The folder of ours that stands for a corpus: tests download none.
const STAND_INS: &[(&str, &str)] = &[
    ("corpus:gcc-torture", "c"),
    ("corpus:clang-tests-cpp", "cpp"),
    ("corpus:g++-dg", "cpp"),
    ("corpus:scala", "scala"),
    ("corpus:solidity", "solidity"),
    ("corpus:cvc4", "smtlib"),
    ("corpus:bitwuzla", "smtlib"),
    ("corpus:boolector", "smtlib"),
];

/// The plan with all its seeds below this folder.
fn below(plan: &str, seeds: &Path) -> String {
    let line = |line: &str| match line.strip_prefix("seeds = [") {
        Some(rest) => {
            let placed = format!("\"{}/", seeds.display());
            let names = rest.split(", \"").map(|name| name.trim_start_matches('"'));
            let ours = |name: &str| {
                let corpus = STAND_INS
                    .iter()
                    .find(|(corpus, _)| name.starts_with(corpus));
                corpus.map_or_else(
                    || name.to_string(),
                    |(corpus, folder)| name.replacen(corpus, folder, 1),
                )
            };
            let names: Vec<String> = names
                .map(|name| format!("{placed}{}", ours(name)))
                .collect();
            format!("seeds = [{}\n", names.join(", "))
        }
        None => format!("{line}\n"),
    };
    plan.lines().map(line).collect()
}

/// A family that knew more when it was younger.
fn write_ages(folder: &Folder) {
    let actor = crate::lydite::zoo::program("zoo-actor");
    let place = |version: &str, part: &str| {
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo zoo-actor {version}; exit; fi\n\
             exec {} {part} \"$1\"\n",
            actor.display()
        );
        let program = folder.write_program(&format!("ages-{version}"), &script);
        program.display().to_string()
    };
    let programs = [place("0.9", "sat"), place("1.0", "doubt")];
    TargetFile::new("ages")
        .commands(&programs)
        .step(&["{bin}", "{file}"])
        .read("kind = \"verdicts\"\nharmless = ['not available']")
        .version(&["{bin}", "--version"], r"zoo-actor (\S+)")
        .smoke("smoke")
        .write(folder, "lydite-targets/ages.toml");
}

fn oracles_of(preset: &str) -> Vec<&'static str> {
    let named = value_of(preset, "oracles").unwrap();
    let oracles: Vec<&str> = PLANTED.iter().map(|(oracle, ..)| *oracle).collect();
    let is_named = |oracle: &&str| named.contains(&format!("\"{oracle}\""));
    let found: Vec<&str> = oracles.into_iter().filter(is_named).collect();
    assert_eq!(
        found.len(),
        named.matches('"').count() / 2,
        "an oracle without a planted bug: {named}"
    );
    found
}

/// What is wrong with one oracle of one preset.
fn try_oracle(name: &str, preset: &str, oracle: &str) -> Result<(), String> {
    let (_, verdicts, outputs, kinds) = PLANTED.iter().find(|(of, ..)| *of == oracle).unwrap();
    let (_, language, file) = LANGUAGES
        .iter()
        .find(|(start, ..)| name.starts_with(start))
        .unwrap_or_else(|| panic!("{name}: of which language is it?"));
    let actors = if *language == "smtlib" {
        verdicts
    } else {
        outputs
    };
    let folder = Folder::new();
    for family in ["a", "b", "c"] {
        folder.write(
            &format!("lydite-targets/{family}.toml"),
            actor(family, language, file),
        );
    }
    write_ages(&folder);
    folder.write("plan.toml", with_targets(preset, actors));
    let cases = match oracle {
        "hang" => "1",
        // Some strategies ask for none.
        "core" | "objective" => "40",
        _ => "8",
    };
    // A tenth of it has to be enough to start a process on a busy machine.
    let timeout = if oracle == "hang" { "6s" } else { "2s" };
    let ran = folder.run(&[
        "hunt", "plan.toml", "--oracles", oracle, "--cases", cases, "--confirm", "0", "--timeout",
        timeout, "-o", "out", "-q", "--json",
    ]);
    let listed = folder.run(&["findings", "out", "--json"]);
    let is_expected = |kind: &&str| {
        listed.stdout.contains(&format!("\"kind\":\"{kind}\""))
            || listed.stdout.contains(&format!("\"kind\": \"{kind}\""))
    };
    match kinds.iter().any(is_expected) {
        true => Ok(()),
        false => Err(format!(
            "{name}: {oracle} found nothing: {}{}",
            ran.stdout, ran.stderr
        )),
    }
}

#[test]
fn every_oracle_of_every_preset_can_fire() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let mut work = Vec::new();
    for file in &files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_string();
        let preset = std::fs::read_to_string(file).unwrap();
        work.extend(
            oracles_of(&preset)
                .into_iter()
                .map(|oracle| (name.clone(), preset.clone(), oracle)),
        );
    }
    assert!(work.len() > 60, "{}", work.len());
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut wrong = Vec::new();
        while let Some((name, preset, oracle)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(try_oracle(name, preset, oracle).err());
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
