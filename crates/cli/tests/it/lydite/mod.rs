//! Runs the program as a user would, in a folder of its own.

pub(crate) mod browser;
pub(crate) mod formulas;
pub(crate) mod nats;
pub(crate) mod script;
pub(crate) mod target_file;
pub(crate) mod versions;
#[allow(dead_code, reason = "also of the tests of lab")]
#[path = "../../../../process/tests/zoo/mod.rs"]
pub(crate) mod zoo;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder that goes when the test ends.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(TempDir::with_prefix("lydite-test-").expect("a folder for the test"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    /// Writes a file that can be run.
    pub(crate) fn write_program(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.write(name, text);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("a program");
        path
    }

    /// `lydite ARGS…` in this folder, with the zoo on the PATH.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let zoo = zoo::program("zoo-solver");
        let bin = zoo.parent().expect("the folder of the programs");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(env!("CARGO_BIN_EXE_lydite"));
        command
            .args(args)
            .current_dir(self.path())
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("XDG_CONFIG_HOME", self.path().join("config"))
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null());
        command
    }

    /// The store of a campaign, for whoever knows how it is written.
    pub(crate) fn database(&self, campaign: &str) -> rusqlite::Connection {
        let path = self.path().join(campaign).join("campaign.sqlite");
        let db = rusqlite::Connection::open(path).expect("a store");
        lydite_store::seal::attach(&db).expect("checksums");
        db
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let output = self.command(args).output().expect("lydite starts");
        Ran::new(args, output)
    }
}

/// What a run of the program gave.
pub(crate) struct Ran {
    pub(crate) args: String,
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn new(args: &[&str], output: Output) -> Ran {
        Ran {
            args: args.join(" "),
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts the exit code, and shows everything if it is another.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Ran {
        assert_eq!(
            self.code, code,
            "lydite {}\n-- stdout\n{}\n-- stderr\n{}",
            self.args, self.stdout, self.stderr
        );
        self
    }

    /// Asserts that standard error says all of this.
    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Ran {
        for part in parts {
            assert!(
                self.stderr.contains(part),
                "`{part}` is not in: {}",
                self.stderr
            );
        }
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(self.stdout.trim()).unwrap_or_else(|error| {
            panic!(
                "lydite {}: {error}\n{}\n{}",
                self.args, self.stdout, self.stderr
            )
        })
    }

    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("a JSON object per line");
        self.stdout.lines().map(parse).collect()
    }
}

/// The zoo's target files.
pub(crate) fn zoo_targets() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../zoo/targets").to_string()
}

/// What a campaign knows that must not depend on how it was run: counts,
/// and every byte of every finding's folder.
pub(crate) fn essence(folder: &Folder, campaign: &str) -> (Value, BTreeMap<PathBuf, Vec<u8>>) {
    let mut report = folder.run(&["report", campaign, "--json"]).expect(0).json();
    let totals = report["totals"].as_object_mut().expect("totals");
    totals.remove("times");
    let counts = serde_json::json!({
        "totals": totals,
        "findings": report["findings"],
        "discovery": report["discovery"],
    });
    let mut files = BTreeMap::new();
    collect(
        &folder.path().join(campaign).join("findings"),
        Path::new(""),
        &mut files,
    );
    assert!(!files.is_empty(), "the campaign has found something");
    (counts, files)
}

fn collect(folder: &Path, name: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = name.join(entry.file_name());
        if entry.path().is_dir() {
            collect(&entry.path(), &name, files);
        } else {
            files.insert(name, fs::read(entry.path()).expect("a file"));
        }
    }
}
