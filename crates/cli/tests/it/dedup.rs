//! `lydite dedup`: a thousand triggers of twenty bugs are twenty bugs.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::lydite::Folder;
use crate::lydite::target_file::TargetFile;
use lydite_core::Choices;

/// The operator above, the one below, what it does, and the version that has
/// mended it; 9 is later than all there are.
const BUGS: [(&str, &str, &str, u32); 20] = [
    ("and", "xor", "crash:and.cpp", 3),
    ("or", "xor", "crash:or.cpp", 4),
    ("xor", "xor", "crash:xor.cpp", 3),
    ("=", "xor", "crash:eq.cpp", 9),
    ("ite", "xor", "crash:ite.cpp", 4),
    ("=>", "xor", "crash:implies.cpp", 2),
    // Two bugs at one place.
    ("distinct", "and", "crash:distinct.cpp", 3),
    ("distinct", "or", "crash:distinct.cpp", 4),
    // One bug at two places.
    ("=", "=", "crash:one.cpp:two.cpp", 3),
    // No place at all.
    ("and", "ite", "segv", 3),
    ("or", "ite", "segv", 4),
    ("ite", "and", "unsat", 3),
    ("ite", "or", "unsat", 3),
    ("=>", "ite", "unsat", 4),
    ("xor", "and", "unsat", 9),
    ("xor", "or", "sat", 3),
    ("=", "and", "sat", 4),
    ("=", "or", "sat", 3),
    ("and", "=>", "invalid", 3),
    ("or", "=>", "invalid", 4),
];

const VERSIONS: u32 = 4;

/// A family of solvers that loses its bugs one by one.
fn write_family(folder: &Folder) {
    let mut commands = Vec::new();
    for version in 1..=VERSIONS {
        let mut text = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'series {version}.0'; exit; fi\n\
             exec zoo-solver"
        );
        for (outer, inner, effect, _) in BUGS.iter().filter(|bug| bug.3 > version) {
            let _ = write!(text, " --plant '{outer}/{inner}={effect}'");
        }
        text += " \"$@\"\n";
        let path = folder.write_program(&format!("bin/series-{version}"), text);
        commands.push(path.display().to_string());
    }
    let zoo = include_str!("../../../zoo/targets/zoo-solver.toml");
    TargetFile::new("series")
        .commands(&commands)
        .like_zoo_solver()
        .write(folder, "targets/series.toml");
    folder.write("targets/zoo-solver.toml", zoo);
}

/// Fifty scripts for each bug: its shape among what is harmless.
fn write_seeds(folder: &Folder) {
    for (number, (outer, inner, effect, _)) in BUGS.iter().enumerate() {
        for copy in 0..50 {
            let mut choices = Choices::seeded(number as u64, copy);
            let mut name = || *choices.pick(&["a", "b", "c", "d", "e"]).unwrap();
            let below = match *inner {
                "ite" => format!("(ite {} {} {})", name(), name(), name()),
                _ => format!("({inner} {} {})", name(), name()),
            };
            let above = match *outer {
                "ite" => format!("(ite {} {below} {})", name(), name()),
                _ => format!("({outer} {below} {})", name()),
            };
            let mut text: String = ["a", "b", "c", "d", "e", "f", "g"]
                .map(|name| format!("(declare-const {name} Bool)\n"))
                .concat();
            for _ in 0..copy % 4 {
                let _ = writeln!(text, "(assert (or {} (not {}) g))", name(), name());
            }
            // Under an operator that is in no planted shape.
            let _ = writeln!(text, "(assert (not {above}))");
            if *effect == "sat" {
                text += "(assert f)\n(assert (not f))\n";
            }
            text += "(check-sat)\n";
            folder.write(&format!("seeds/{number:02}-{copy:02}.smt2"), text);
        }
    }
}

/// The planted bug that a reduced case shows.
fn shape_of(case: &str, fixed: Option<&str>) -> Option<(&'static str, &'static str)> {
    let fits = |(outer, inner, _, mended): &&(&str, &str, &str, u32)| {
        let mended = (*mended <= VERSIONS).then(|| format!("{mended}.0"));
        let above = format!("({outer} ");
        let below = format!("({inner} ");
        let nested = case.match_indices(&above).any(|(at, _)| {
            case[at + above.len()..]
                .lines()
                .next()
                .unwrap()
                .contains(&below)
        });
        nested && mended.as_deref() == fixed
    };
    BUGS.iter()
        .find(fits)
        .map(|(outer, inner, ..)| (*outer, *inner))
}

#[test]
fn a_thousand_triggers_of_twenty_bugs_are_twenty_bugs() {
    let folder = Folder::new();
    write_family(&folder);
    write_seeds(&folder);
    folder
        .run(&[
            "hunt",
            "-t",
            "series@1.0",
            "--reference",
            "zoo-solver",
            "--seeds",
            "seeds",
            "--target-files",
            "targets",
            "--oracles",
            "crash,answer,model,differential",
            "-o",
            "out",
            "-q",
        ])
        .expect(10);
    let ran = folder.run(&["dedup", "out", "--target-files", "targets", "--json"]);
    let ran = ran.expect(0);
    let bugs = ran.json_lines();
    // Each planted bug ends in one group, and each group is one planted bug.
    let mut shapes = BTreeSet::new();
    let mut rows = String::new();
    for bug in &bugs {
        let id = bug["id"].as_str().unwrap();
        let place = folder.path().join("out/findings").join(id);
        let case = std::fs::read_to_string(place.join("case.smt2")).unwrap();
        let shape = shape_of(&case, bug["fixed_in"].as_str());
        let _ = writeln!(rows, "{shape:?} {bug} {case:?}");
        shapes.extend(shape);
    }
    let count = (shapes.len(), bugs.len());
    assert_eq!(count, (BUGS.len(), BUGS.len()), "{rows}\n{}", ran.stderr);
    // Merges can be taken back, and are not made again then.
    let merged = folder
        .run(&["findings", "out", "--all", "--json"])
        .expect(10)
        .json_lines();
    let member = merged
        .iter()
        .find(|finding| finding["merged_because"].is_string())
        .expect("one bug has two places");
    let id = member["id"].as_str().unwrap();
    folder
        .run(&["findings", "split", id, "--in", "out"])
        .expect(0);
    let again = folder
        .run(&["dedup", "out", "--target-files", "targets", "--json", "-q"])
        .expect(0)
        .json_lines();
    assert_eq!(again.len(), bugs.len() + 1);
}
