//! Installing from a local archive: whole or not at all, once, and checked.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lydite_core::{Outcome, Program, Role, TargetName};
use lydite_process::Scratch;
use lydite_target::install::{self, Cache};
use lydite_target::{Catalogue, RunLimits, Target};
use tempfile::TempDir;
use zip::write::{SimpleFileOptions, ZipWriter};

/// The variable that tells [`an_install_ends_in_a_whole_version`] where to work.
const FOLDER: &str = "LYDITE_TEST_INSTALL";

const TOY: &str = r#"
family = "toy"
language = "smtlib"
about = "says sat to everything"
[[get]]
from = "archive"
path = "toy.zip"
version = "1.0"
bin = "*/bin/toy"
[run]
file = "case.smt2"
[[run.step]]
argv = ["{bin}", "{options}", "{file}"]
[variant.loud]
options = ["--loud"]
[version]
argv = ["{bin}", "--version"]
pattern = 'toy ([0-9.]+)'
[smoke]
program = "(check-sat)\n"
expect = "sat"
"#;

/// A folder with a target file and its archive; removed at the end.
struct Place {
    folder: PathBuf,
    /// Removes the folder at the end, unless it is another's.
    _made: Option<TempDir>,
}

impl Place {
    fn new(name: &str) -> Place {
        let made = TempDir::with_prefix(format!("lydite-install-{name}-")).unwrap();
        let folder = made.path().to_path_buf();
        fs::write(folder.join("toy.toml"), TOY).unwrap();
        fs::write(
            folder.join("toy.zip"),
            toy_archive("#!/bin/sh\necho toy 1.0 >&2\necho sat\n"),
        )
        .unwrap();
        Place {
            folder,
            _made: Some(made),
        }
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue::load(&[self.folder.join("toy.toml")]).unwrap()
    }

    fn cache(&self) -> Cache {
        Cache::at(self.folder.join("cache"))
    }

    fn install(&self, name: &str, lines: &mut Vec<String>) -> anyhow::Result<Vec<Target>> {
        let name: TargetName = name.parse().unwrap();
        install::install(&self.catalogue(), &name, &self.cache(), &mut |line| {
            lines.push(line.to_string());
        })
    }

    fn version_folder(&self) -> PathBuf {
        self.folder.join("cache/targets/toy/1.0")
    }

    fn resolve_error(&self) -> String {
        let name: TargetName = "toy".parse().unwrap();
        let resolved = self.catalogue().resolve(&name, &self.cache());
        resolved.unwrap_err().to_string()
    }
}

fn toy_archive(script: &str) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        ("toy-1.0/bin/toy", script),
        ("toy-1.0/share/notes", "notes\n"),
    ] {
        archive
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Also the process that other tests start and kill: then the folder is theirs.
#[test]
fn an_install_ends_in_a_whole_version() {
    let place = match std::env::var_os(FOLDER) {
        Some(folder) => Place {
            folder: folder.into(),
            _made: None,
        },
        None => Place::new("whole"),
    };
    let targets = place.install("toy", &mut Vec::new()).unwrap();
    assert_eq!(targets.len(), 1);
    assert_eq!(targets[0].name.to_string(), "toy@1.0");
    assert_eq!(names(&place.version_folder()), ["manifest.json", "root"]);
}

/// Starts the test above as a process of its own.
fn installing_process(place: &Place) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "an_install_ends_in_a_whole_version"])
        .env(FOLDER, &place.folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[test]
fn an_installed_target_runs_and_is_described() {
    let place = Place::new("runs");
    let mut lines = Vec::new();
    place.install("toy@1.0:loud", &mut lines).unwrap();
    assert!(
        lines.iter().any(|line| line == "toy@1.0: installed"),
        "{lines:?}"
    );
    lines.clear();
    let target = place.install("toy@*:loud", &mut lines).unwrap().remove(0);
    assert!(
        !lines.iter().any(|line| line.contains("getting")),
        "{lines:?}"
    );

    let scratch = Scratch::new().unwrap();
    let program = Program::single("x.smt2", *b"(check-sat)");
    let limits = RunLimits::default();
    let observation = target.observe(&program, 3, Role::Reference, &limits, &scratch);
    assert_eq!(observation.outcome.to_string(), "sat");
    assert_eq!(
        (observation.program, observation.role),
        (3, Role::Reference)
    );
    assert_eq!(observation.target.to_string(), "toy@1.0:loud");

    let described = target.describe(&limits).unwrap();
    assert_eq!(described.argv.len(), 1);
    assert_eq!(described.argv[0][1..], ["--loud", "{file}"]);
    assert!(described.argv[0][0].ends_with("toy-1.0/bin/toy"));
    let hash = blake3::hash(&fs::read(&described.binary).unwrap());
    assert_eq!(described.blake3, hash.to_hex().to_string());
    let reproduction = target.reproduction(&limits);
    assert_eq!(reproduction.steps[0].argv, described.argv[0]);
    assert_eq!(reproduction.file, "case.smt2");
}

#[test]
fn installs_at_once_wait_for_each_other_and_do_the_work_once() {
    let place = Place::new("at-once");
    let mut processes: Vec<_> = (0..3)
        .map(|_| installing_process(&place).spawn().unwrap())
        .collect();
    let lines: Vec<Vec<String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut lines = Vec::new();
                    place.install("toy@1.0", &mut lines).unwrap();
                    lines
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    for process in &mut processes {
        assert!(process.wait().unwrap().success());
    }
    let done = lines
        .iter()
        .flatten()
        .filter(|line| line.ends_with(": installed"));
    assert!(done.count() <= 1, "{lines:?}");
    assert!(names(&place.folder.join("cache/work")).is_empty());
}

#[test]
fn a_killed_install_leaves_nothing_that_counts_and_is_swept() {
    let place = Place::new("killed");
    // Reading a pipe, the install waits in the middle of its work.
    let pipe = place.folder.join("toy.tar");
    fs::write(
        place.folder.join("toy.toml"),
        TOY.replace("toy.zip", "toy.tar"),
    )
    .unwrap();
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_mode(0o755);
    header.set_size(19);
    let script = &b"#!/bin/sh\necho sat\n"[..];
    archive
        .append_data(&mut header, "toy-1.0/bin/toy", script)
        .unwrap();
    let archive = archive.into_inner().unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut process = installing_process(&place).spawn().unwrap();
    // This returns when the other side has opened it too.
    let writer = fs::File::options().write(true).open(&pipe).unwrap();
    process.kill().unwrap();
    process.wait().unwrap();
    drop(writer);

    assert!(!place.version_folder().exists());
    assert_eq!(
        place.resolve_error(),
        "target toy: not installed (lydite targets install toy)"
    );
    let work = place.folder.join("cache/work");
    assert_eq!(
        names(&work).len(),
        2,
        "a folder and its lock were left behind"
    );

    fs::remove_file(&pipe).unwrap();
    fs::write(&pipe, archive).unwrap();
    place.install("toy", &mut Vec::new()).unwrap();
    assert!(names(&work).is_empty());
}

/// What is there of an install under way, in the order in which it appears.
fn stage(place: &Place) -> usize {
    let cache = place.folder.join("cache");
    let work = fs::read_dir(cache.join("work")).into_iter().flatten();
    let folders = work.filter_map(|entry| Some(entry.ok()?.path()));
    let count = |folder: &Path| fs::read_dir(folder).map_or(0, Iterator::count);
    let progress = folders.map(|folder| {
        let version = folder.join("version");
        let files = count(&version.join("root/toy-1.0/share"));
        match version.join("manifest.json").exists() {
            true => 300,
            false => 1 + files,
        }
    });
    let in_place = if place.version_folder().exists() {
        400
    } else {
        0
    };
    progress.max().unwrap_or(0).max(in_place)
}

#[test]
fn kills_at_any_moment_never_leave_half_a_version() {
    let place = Place::new("kills");
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..200 {
        let name = format!("toy-1.0/share/{number}");
        archive
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(&[7; 5000]).unwrap();
    }
    archive
        .start_file("toy-1.0/bin/toy", SimpleFileOptions::default())
        .unwrap();
    archive.write_all(b"#!/bin/sh\necho sat\n").unwrap();
    let archive = archive.finish().unwrap().into_inner();
    fs::write(place.folder.join("toy.zip"), archive).unwrap();
    let mut halfway = 0;
    for wanted in [1, 2, 20, 60, 100, 150, 190, 200, 300, 400] {
        let _ = fs::remove_dir_all(place.version_folder());
        let mut process = installing_process(&place).spawn().unwrap();
        while stage(&place) < wanted && process.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = process.kill();
        process.wait().unwrap();
        if place.version_folder().exists() {
            let manifest = install::Manifest::load(&place.version_folder()).unwrap();
            assert_eq!(manifest.files.len(), 201);
            manifest.check_files(&place.version_folder()).unwrap();
        } else {
            halfway += 1;
        }
    }
    assert!(halfway > 0, "every install ended before it was killed");
    place.install("toy", &mut Vec::new()).unwrap();
    assert!(names(&place.folder.join("cache/work")).is_empty());
}

#[test]
fn a_changed_file_is_noticed_and_an_install_mends_it() {
    let place = Place::new("changed");
    let target = place.install("toy", &mut Vec::new()).unwrap().remove(0);
    let scratch = Scratch::new().unwrap();
    let doctor = || {
        let healths = install::doctor(
            &place.catalogue(),
            &["toy@*".parse().unwrap()],
            &place.cache(),
            &scratch,
        );
        healths.unwrap().remove(0)
    };
    let health = doctor();
    assert!(health.is_good(), "{:?}", health.problems);
    assert_eq!(health.reported_version.as_deref(), Some("1.0"));
    assert_eq!(health.smoke, "sat");

    fs::write(
        place.version_folder().join("root/toy-1.0/share/notes"),
        "other\n",
    )
    .unwrap();
    let problems = doctor().problems;
    assert_eq!(
        problems,
        [
            "file toy-1.0/share/notes: changed since it was installed: lydite targets install toy@1.0"
        ]
    );

    let binary = PathBuf::from(target.describe(&RunLimits::default()).unwrap().binary);
    fs::write(&binary, "#!/bin/sh\necho unsat\n").unwrap();
    let error = place.resolve_error();
    assert!(error.contains("changed since it was installed"), "{error}");
    assert!(!doctor().is_good());

    place.install("toy", &mut Vec::new()).unwrap();
    assert!(doctor().is_good());
}

#[test]
fn bad_archives_and_missing_ones_are_clear_errors_and_install_nothing() {
    let place = Place::new("bad");
    let error = |place: &Place| {
        let result = place.install("toy", &mut Vec::new());
        format!("{:#}", result.unwrap_err())
    };
    let mut hostile = ZipWriter::new(Cursor::new(Vec::new()));
    hostile
        .start_file("../evil", SimpleFileOptions::default())
        .unwrap();
    fs::write(
        place.folder.join("toy.zip"),
        hostile.finish().unwrap().into_inner(),
    )
    .unwrap();
    assert!(error(&place).contains("entry ../evil: `..` in its path: refused"));
    fs::write(place.folder.join("toy.zip"), "no archive").unwrap();
    assert!(error(&place).contains("not a zip archive"));
    fs::remove_file(place.folder.join("toy.zip")).unwrap();
    assert!(error(&place).contains("toy.zip: No such file"));
    assert!(!place.version_folder().exists());
    let missing = place.install("toy@2.0", &mut Vec::new()).unwrap_err();
    assert!(format!("{missing:#}").contains("no such version; offered: 1.0"));
}

#[test]
fn a_folder_serves_as_an_archive_and_a_user_file_extends_a_built_in_one() {
    let place = Place::new("folder");
    let tree = place.folder.join("build/bin");
    fs::create_dir_all(&tree).unwrap();
    fs::write(tree.join("z3"), "#!/bin/sh\necho unsat\n").unwrap();
    let text = "family = \"z3\"\nextends = \"z3\"\n[[get]]\nfrom = \"archive\"\n\
                path = \"build\"\nversion = \"99.0\"\nbin = \"bin/z3\"\n\
                [variant.mine]\noptions = [\"smt.random_seed=7\"]\n";
    fs::write(place.folder.join("mine.toml"), text).unwrap();
    let catalogue = Catalogue::load(&[place.folder.join("mine.toml")]).unwrap();
    let name: TargetName = "z3@99.0:mine".parse().unwrap();
    let installed = install::install(&catalogue, &name, &place.cache(), &mut |_| {});
    let target = installed.unwrap().remove(0);
    let scratch = Scratch::new().unwrap();
    let program = Program::single("x.smt2", *b"(check-sat)");
    let observation = target.observe(&program, 0, Role::Tested, &RunLimits::default(), &scratch);
    assert_eq!(observation.outcome.to_string(), "unsat");
    let listing = install::list(&catalogue, &place.cache(), false, false);
    let z3 = listing
        .iter()
        .find(|listing| listing.family == "z3")
        .unwrap();
    assert_eq!(z3.installed, ["99.0"]);
    assert!(z3.variants.contains(&"mine".to_string()));
    assert!(z3.variants.contains(&"model-validate".to_string()));
}

#[test]
fn a_program_whose_files_have_no_plain_name_is_not_run() {
    let place = Place::new("names");
    let target = place.install("toy", &mut Vec::new()).unwrap().remove(0);
    let scratch = Scratch::new().unwrap();
    let mut program = Program::single("../../evil", *b"(check-sat)");
    let limits = RunLimits::default();
    let observation = target.observe(&program, 0, Role::Tested, &limits, &scratch);
    assert_eq!(observation.outcome.to_string(), "sat");
    let mut second = program.files[0].clone();
    second.name = "../evil".to_string();
    program.files.push(second);
    let observation = target.observe(&program, 0, Role::Tested, &limits, &scratch);
    assert!(matches!(observation.outcome, Outcome::Unusable(_)));
}

#[test]
fn the_examples_of_the_docs_are_target_files() {
    let docs = include_str!("../../../docs/targets.md");
    let place = Place::new("docs");
    let mut families = Vec::new();
    for (number, block) in docs.split("```toml\n").skip(1).enumerate() {
        let (text, _) = block.split_once("```").unwrap();
        let file = place.folder.join(format!("{number}.toml"));
        fs::write(&file, text).unwrap();
        let catalogue = Catalogue::load(&[file]).unwrap_or_else(|error| panic!("{error:#}"));
        families.push(catalogue.families().count());
    }
    let own = Catalogue::load(&[]).unwrap().families().count();
    assert_eq!(families, [own, own + 1, own + 1]);
}

#[test]
fn every_key_of_a_target_file_is_in_the_docs() {
    let docs = include_str!("../../../docs/targets.md");
    let mut catalogue = Catalogue::load(&[]).unwrap();
    // An unknown key makes the reader name all that it knows.
    for table in [
        "", "[[get]]\n", "[run]\n", "[[run.step]]\n", "[read]\n", "[limit]\n",
    ] {
        let place = Place::new("keys");
        let file = place.folder.join("keys.toml");
        fs::write(&file, format!("family = \"x\"\n{table}no_such_key = 1\n")).unwrap();
        let error = catalogue.add_path(&file).unwrap_err().to_string();
        let (_, known) = error.split_once("expected one of").expect(&error);
        for key in known.split('`').skip(1).step_by(2) {
            assert!(
                docs.contains(key),
                "`{key}` of {table} is not in docs/targets.md"
            );
        }
    }
}
