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
        let output = folder.path().join(self.output);
        self.prepare(folder);
        self.run(folder, "").1.expect(self.code);
        let calm = tree(&output);
        let mut before = None;
        for number in 1.. {
            self.prepare(folder);
            let (signal, ran) = self.run(folder, &format!("kill {number}"));
            if signal.is_none() {
                ran.expect(self.code);
                return number - 1;
            }
            // What goes on from the same bytes was seen.
            let left = bytes(&output);
            if before.as_ref() == Some(&left) {
                continue;
            }
            before = Some(left);
            self.run(folder, "").1.expect(self.code);
            same(&tree(&output), &calm, number);
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
            ran.expect(5).says(&["cannot", "storage"]);
            self.run(folder, "").1.expect(self.code);
            same(&tree(&folder.path().join(self.output)), &calm, number);
        }
        unreachable!("a run has an end")
    }
}

#[track_caller]
pub(crate) fn same(now: &BTreeMap<PathBuf, String>, calm: &BTreeMap<PathBuf, String>, step: u64) {
    let names = |tree: &BTreeMap<PathBuf, String>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(now), names(calm), "names after step {step}");
    for (name, text) in now {
        let pairs = text.lines().zip(calm[name].lines());
        let differ = pairs.into_iter().find(|(now, calm)| now != calm);
        assert_eq!(differ, None, "{} after step {step}", name.display());
        assert_eq!(text.len(), calm[name].len(), "{}", name.display());
    }
}

/// Every name below a folder, with its content as far as that does not depend on
/// the clock.
pub(crate) fn tree(folder: &Path) -> BTreeMap<PathBuf, String> {
    let all = bytes(folder).into_iter();
    all.map(|(name, content)| {
        let text = content.map_or("a folder".to_string(), |content| timeless(&name, &content));
        (name, text)
    })
    .collect()
}

/// Every name below a folder, with its content; a folder has none.
fn bytes(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(place) = folders.pop() {
        let entries = fs::read_dir(&place).into_iter().flatten();
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            let name = path.strip_prefix(folder).expect("below it").to_path_buf();
            let content = match path.is_dir() {
                true => None,
                // It says who was killed.
                false if name == Path::new("lock") => Some(Vec::new()),
                false => Some(fs::read(&path).expect("a file")),
            };
            folders.extend(content.is_none().then_some(path));
            files.insert(name, content);
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
pub(crate) fn write_solvers(folder: &Folder) {
    let say = |word: &str| format!("grep -q {word} \"$1\"");
    let wrong = format!(
        "{} && kill -SEGV $$\n{} && echo unsat && exit\necho sat",
        say("BOOM"),
        say("WRONG")
    );
    write_target(folder, "faulty", &wrong);
    write_target(folder, "right", "echo sat");
    // As small as can be: a reduction has as many steps as there is to take away.
    for (number, name) in ["plain", "WRONG", "BOOM"].iter().enumerate() {
        let text = format!("(declare-const {name} Bool)(assert {name})(check-sat)");
        folder.write(&format!("seeds/{number}.smt2"), text);
    }
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
    };
    let steps = attempt.is_the_same_after_every_kill(&folder);
    assert!(steps > 30, "{steps}");
}

/// A folder with a finished hunt, `begun`.
fn hunted() -> Folder {
    let folder = Folder::new();
    write_solvers(&folder);
    folder.run(&hunt(&["-q"])).expect(10);
    fs::rename(folder.path().join("out"), folder.path().join("begun")).unwrap();
    folder
}

const WORK: [&[&str]; 4] = [
    &[
        "reduce", "out", "--target-files", "targets", "-j", "1", "-q",
    ],
    &["bisect", "out", "--target-files", "targets", "-q"],
    &["dedup", "out", "--target-files", "targets", "-j", "1", "-q"],
    &["report", "out", "-q"],
];

fn work<'a>(args: &'a [&'a str]) -> Attempt<'a> {
    Attempt {
        args,
        code: 0,
        output: "out",
        begun: Some("begun"),
    }
}

#[test]
fn a_hunt_that_reduces_is_the_same_after_a_kill_at_any_step() {
    // How far it comes before that is the hunt's own test.
    let attempt = Attempt {
        args: &hunt(&["-q", "--reduce", "1m"]),
        code: 10,
        output: "out",
        begun: Some("begun"),
    };
    let steps = attempt.is_the_same_after_every_kill(&hunted());
    assert!(steps > 40, "{steps}");
}

#[test]
fn work_on_findings_is_the_same_after_a_kill_at_any_step() {
    let folder = hunted();
    for args in WORK {
        let steps = work(args).is_the_same_after_every_kill(&folder);
        assert!(steps > 5, "{args:?}: {steps}");
    }
}

#[test]
fn a_decision_is_kept_or_not_whenever_its_command_is_killed() {
    let folder = hunted();
    let mark = ["findings", "mark", "--in", "out", "-q"];
    let listed = folder.run(&["findings", "begun", "--json"]).json_lines();
    let id = listed[0]["id"].as_str().unwrap();
    let mark = [&mark[..], &[id, "reported"]].concat();
    let attempt = work(&mark);
    for number in 1.. {
        attempt.prepare(&folder);
        let (signal, _) = attempt.run(&folder, &format!("kill {number}"));
        let marked = |folder: &Folder| {
            let findings = folder.run(&["findings", "out", "--json"]).json_lines();
            assert_eq!(findings.len(), listed.len());
            findings[0]["mark"]["status"] == "reported"
        };
        // Before its commit there is none, after it there is one.
        assert_eq!(marked(&folder), number > 1, "step {number}");
        if signal.is_none() {
            assert!(number > 5, "{number}");
            return;
        }
        attempt.run(&folder, "").1.expect(0);
        assert!(marked(&folder));
        let left = bytes(&folder.path().join("out"));
        let unfinished = left.keys().filter(|name| name.ends_with(".new"));
        assert_eq!(unfinished.count(), 0);
    }
}

/// Two parts of a campaign, `shard-1` and `shard-2`.
fn write_shards(folder: &Folder) {
    write_solvers(folder);
    for shard in ["1", "2"] {
        folder
            .run(&hunt(&["-q", "--shard", &format!("{shard}/2")]))
            .expect(10);
        let place = folder.path().join(format!("shard-{shard}"));
        fs::rename(folder.path().join("out"), place).unwrap();
    }
}

const MERGE: Attempt<'_> = Attempt {
    args: &["merge", "shard-1", "shard-2", "-o", "out", "-q"],
    code: 10,
    output: "out",
    begun: None,
};

#[test]
fn a_merge_is_the_same_after_a_kill_at_any_step() {
    let folder = Folder::new();
    write_shards(&folder);
    let steps = MERGE.is_the_same_after_every_kill(&folder);
    assert!(steps > 15, "{steps}");
}

/// A family of two versions, and seeds for it.
fn write_family(folder: &Folder) {
    write_versions(folder, &[("1.0", "--bug assert-distinct"), ("1.2", "")]);
    let distinct = "(declare-const a Bool)(assert (distinct a a a))(check-sat)";
    folder.write("seeds/0.smt2", distinct);
    folder.write(
        "seeds/1.smt2",
        "(declare-const a Bool)(assert a)(check-sat)",
    );
}

const EVOLVE: Attempt<'_> = Attempt {
    args: &[
        "evolve", "--target-files", "targets", "-o", "out", "-q", "--targets", "line@*",
        "--against", "zoo-solver", "--seeds", "seeds", "-j", "1",
    ],
    code: 0,
    output: "out",
    begun: None,
};

#[test]
fn an_evolution_is_the_same_after_a_kill_at_any_step() {
    let folder = Folder::new();
    write_family(&folder);
    let steps = EVOLVE.is_the_same_after_every_kill(&folder);
    assert!(steps > 20, "{steps}");
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost_by_it() {
    let folder = hunted();
    let fresh = Attempt {
        args: &hunt(&["-q"]),
        code: 10,
        output: "out",
        begun: None,
    };
    let steps = fresh.is_the_same_after_every_full_disk(&folder);
    assert!(steps > 20, "{steps}");
    for args in WORK {
        let steps = work(args).is_the_same_after_every_full_disk(&folder);
        assert!(steps > 5, "{args:?}: {steps}");
    }
    let folder = Folder::new();
    write_shards(&folder);
    let steps = MERGE.is_the_same_after_every_full_disk(&folder);
    assert!(steps > 10, "{steps}");
    let folder = Folder::new();
    write_family(&folder);
    let steps = EVOLVE.is_the_same_after_every_full_disk(&folder);
    assert!(steps > 10, "{steps}");
}

#[test]
fn every_step_has_a_name_and_reports_are_written_once_however_many_findings_there_are() {
    let mut counts = Vec::new();
    for findings in [1, 3, 5] {
        let folder = Folder::new();
        let script = "site=$(grep -o 'BOOM.' \"$1\" | head -1)\n\
                      [ -z \"$site\" ] && echo sat && exit\n\
                      echo \"ASSERTION VIOLATION $site\" >&2; kill -SEGV $$";
        let crash = "[read]\nkind = \"verdicts\"\ncrash = ['ASSERTION VIOLATION (?P<site>\\w+)']";
        write_target(&folder, "faulty", script);
        let path = folder.path().join("targets/faulty.toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("[read]\nkind = \"verdicts\"", crash)).unwrap();
        let names: Vec<String> = (0..findings)
            .map(|number| format!("BOOM{}", char::from(b'A' + number)))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        write_seeds(&folder, &names);
        let hunt = [
            "hunt", "-t", "faulty", "--seeds", "seeds", "--target-files", "targets", "-o", "begun",
            "-j", "1", "--confirm", "1", "-q",
        ];
        folder.run(&hunt).expect(10);
        let found = folder.run(&["findings", "begun", "--json"]).json_lines();
        assert_eq!(found.len(), usize::from(findings));
        let mut steps = BTreeMap::new();
        for args in [WORK[0], WORK[1], WORK[2]] {
            let attempt = work(args);
            attempt.prepare(&folder);
            let log = folder.path().join("steps");
            let _ = fs::remove_file(&log);
            attempt
                .run(&folder, &format!("log {}", log.display()))
                .1
                .expect(0);
            for step in fs::read_to_string(&log).unwrap().lines() {
                let known = [WRITES, "spawn"].join(" ");
                assert!(known.split(' ').any(|known| known == step), "{step}");
                if step != "spawn" {
                    *steps.entry(args[0]).or_insert(0) += 1;
                }
            }
        }
        counts.push(steps);
    }
    for (command, one) in &counts[0] {
        let (three, five) = (counts[1][command], counts[2][command]);
        assert_eq!(five - three, three - one, "{command}: {counts:?}");
    }
}
