//! Ended at every step that changes something outside of its memory, each
//! command that writes goes on as if nothing had been; on a disk that is full
//! from some step on, it says so and goes on later.
//!
//! The steps are the failpoints of debug builds (`lydite_process::failpoint`):
//! every write, sync and rename in a folder, every transaction of a store before
//! and after its commit, every process that is started.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lydite::script::{write_seeds, write_target};
use crate::lydite::versions::write_versions;
use crate::lydite::{Folder, Ran};
use serde_json::Value;

/// Steps that are not the start of a process.
const WRITES: &str = "write sync rename remove commit committed";

/// A command, and how it ends.
struct Attempt<'a> {
    args: &'a [&'a str],
    code: i32,
    /// The folder that it writes, which begins as a copy of the other one.
    output: &'a str,
    begun: Option<&'a str>,
    /// Which steps count; all if none is named.
    steps: &'a str,
}

impl Attempt<'_> {
    fn prepare(&self, folder: &Folder) {
        let output = folder.path().join(self.output);
        let _ = fs::remove_dir_all(&output);
        if let Some(begun) = self.begun {
            let from = folder.path().join(begun);
            let copied = Command::new("cp").arg("-r").arg(from).arg(&output).status();
            assert!(copied.unwrap().success());
        }
    }

    fn run(&self, folder: &Folder, failpoint: &str) -> (Option<i32>, Ran) {
        let mut command = folder.command(self.args);
        if !failpoint.is_empty() {
            command.env("LYDITE_FAILPOINT", failpoint);
        }
        let output = command.output().expect("lydite starts");
        (output.status.signal(), Ran::new(self.args, output))
    }

    /// Ends it before step 1, 2, 3 and so on until it comes to its end; each time
    /// it is done again, and what is there then has to be what a run gives that
    /// nobody disturbed. Returns how many steps there were.
    fn is_the_same_after_every_kill(&self, folder: &Folder) -> u64 {
        self.prepare(folder);
        self.run(folder, "").1.expect(self.code);
        let calm = tree(&folder.path().join(self.output));
        for number in 1.. {
            self.prepare(folder);
            let (signal, ran) = self.run(folder, &format!("kill {number} {}", self.steps));
            if signal.is_none() {
                ran.expect(self.code);
                return number - 1;
            }
            self.run(folder, "").1.expect(self.code);
            same(&tree(&folder.path().join(self.output)), &calm, number);
        }
        unreachable!("a run has an end")
    }

    /// The same with a disk that is full from step 1, 2, 3 … on.
    fn is_the_same_after_every_full_disk(&self, folder: &Folder) -> u64 {
        self.prepare(folder);
        self.run(folder, "").1.expect(self.code);
        let calm = tree(&folder.path().join(self.output));
        for number in 1.. {
            self.prepare(folder);
            let (_, ran) = self.run(folder, &format!("full {number} {WRITES}"));
            if ran.code == self.code {
                return number - 1;
            }
            ran.expect(5).says(&["cannot"]);
            self.run(folder, "").1.expect(self.code);
            same(&tree(&folder.path().join(self.output)), &calm, number);
        }
        unreachable!("a run has an end")
    }
}

#[track_caller]
fn same(now: &BTreeMap<PathBuf, String>, calm: &BTreeMap<PathBuf, String>, step: u64) {
    let names = |tree: &BTreeMap<PathBuf, String>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(now), names(calm), "names after step {step}");
    for (name, text) in now {
        assert_eq!(text, &calm[name], "{} after step {step}", name.display());
    }
}

/// Every name below a folder, with its content as far as that does not depend on
/// the clock.
fn tree(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(place) = folders.pop() {
        for entry in fs::read_dir(&place).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("below it").to_path_buf();
            if path.is_dir() {
                folders.push(path);
                files.insert(name, "a folder".to_string());
            } else {
                let content = timeless(&name, &fs::read(&path).expect("a file"));
                files.insert(name, content);
            }
        }
    }
    files
}

fn timeless(name: &Path, content: &[u8]) -> String {
    let text = String::from_utf8_lossy(content).into_owned();
    match name.to_str().expect("a name") {
        "report.json" => {
            let mut report: Value = serde_json::from_str(&text).expect("JSON");
            for key in ["when", "pace"] {
                report[key].take();
            }
            report["totals"]["times"].take();
            report.to_string()
        }
        "cells.csv" => {
            let what = |line: &str| {
                let fields: Vec<&str> = line.split(',').collect();
                [&fields[..5], &fields[7..]].concat().join(",")
            };
            text.lines().map(what).collect::<Vec<_>>().join("\n")
        }
        // What the others hold is in the report, or is told by the clock.
        "campaign.sqlite" | "evolution.sqlite" | "report.html" | "report.md" | "lock"
        | "evolution.html" | "versions.csv" => String::new(),
        _ => text,
    }
}

/// A solver that is wrong and one that crashes, and one that is neither.
fn write_solvers(folder: &Folder) {
    let say = |word: &str| format!("grep -q {word} \"$1\"");
    let wrong = format!(
        "{} && kill -SEGV $$\n{} && echo unsat && exit\necho sat",
        say("BOOM"),
        say("WRONG")
    );
    write_target(folder, "faulty", &wrong);
    write_target(folder, "right", "echo sat");
    write_seeds(folder, &["plain", "WRONG", "BOOM"]);
}

const HUNT: [&str; 15] = [
    "hunt", "-t", "faulty", "-t", "right", "--seeds", "seeds", "--target-files", "targets", "-o",
    "out", "-j", "1", "--confirm", "1",
];

fn hunt<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&HUNT[..], more].concat()
}

#[test]
fn a_hunt_is_the_same_after_a_kill_at_any_step() {
    let folder = Folder::new();
    write_solvers(&folder);
    let attempt = Attempt {
        args: &hunt(&["-q"]),
        code: 10,
        output: "out",
        begun: None,
        steps: "",
    };
    let steps = attempt.is_the_same_after_every_kill(&folder);
    assert!(steps > 30, "{steps}");
}

#[test]
fn a_hunt_that_reduces_is_the_same_after_a_kill_at_any_write() {
    let folder = Folder::new();
    write_solvers(&folder);
    let attempt = Attempt {
        args: &hunt(&["-q", "--reduce", "1m"]),
        code: 10,
        output: "out",
        begun: None,
        steps: WRITES,
    };
    let steps = attempt.is_the_same_after_every_kill(&folder);
    assert!(steps > 20, "{steps}");
}

#[test]
fn work_on_findings_is_the_same_after_a_kill_at_any_write() {
    let folder = Folder::new();
    write_solvers(&folder);
    folder.run(&hunt(&["-q"])).expect(10);
    fs::rename(folder.path().join("out"), folder.path().join("begun")).unwrap();
    for args in [
        &[
            "reduce", "out", "--target-files", "targets", "-j", "1", "-q",
        ][..],
        &["bisect", "out", "--target-files", "targets", "-q"],
        &["dedup", "out", "--target-files", "targets", "-j", "1", "-q"],
        &["report", "out", "-q"],
    ] {
        let attempt = Attempt {
            args,
            code: 0,
            output: "out",
            begun: Some("begun"),
            steps: WRITES,
        };
        let steps = attempt.is_the_same_after_every_kill(&folder);
        assert!(steps > 5, "{args:?}: {steps}");
    }
}

#[test]
fn a_merge_is_the_same_after_a_kill_at_any_write() {
    let folder = Folder::new();
    write_solvers(&folder);
    for shard in ["1", "2"] {
        folder
            .run(&hunt(&["-q", "--shard", &format!("{shard}/2")]))
            .expect(10);
        let place = folder.path().join(format!("shard-{shard}"));
        fs::rename(folder.path().join("out"), place).unwrap();
    }
    let attempt = Attempt {
        args: &["merge", "shard-1", "shard-2", "-o", "out", "-q"],
        code: 10,
        output: "out",
        begun: None,
        steps: "",
    };
    let steps = attempt.is_the_same_after_every_kill(&folder);
    assert!(steps > 15, "{steps}");
}

#[test]
fn an_evolution_is_the_same_after_a_kill_at_any_write() {
    let folder = Folder::new();
    write_versions(&folder, &[("1.0", "--bug assert-distinct"), ("1.2", "")]);
    let distinct = "(declare-const a Bool)(assert (distinct a a a))(check-sat)";
    folder.write("seeds/0.smt2", distinct);
    folder.write(
        "seeds/1.smt2",
        "(declare-const a Bool)(assert a)(check-sat)",
    );
    let attempt = Attempt {
        args: &[
            "evolve", "--target-files", "targets", "-o", "out", "-q", "--targets", "line@*",
            "--against", "zoo-solver", "--seeds", "seeds", "-j", "1",
        ],
        code: 0,
        output: "out",
        begun: None,
        steps: WRITES,
    };
    let steps = attempt.is_the_same_after_every_kill(&folder);
    assert!(steps > 10, "{steps}");
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost_by_it() {
    let folder = Folder::new();
    write_solvers(&folder);
    let attempt = Attempt {
        args: &hunt(&["-q"]),
        code: 10,
        output: "out",
        begun: None,
        steps: WRITES,
    };
    let steps = attempt.is_the_same_after_every_full_disk(&folder);
    assert!(steps > 20, "{steps}");
}
