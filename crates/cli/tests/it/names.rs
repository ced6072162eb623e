//! What names without a version mean, on machines that have nothing, something
//! or everything of what is offered.

use std::fs;

use crate::lydite::target_file::TargetFile;
use crate::lydite::{Folder, Ran};
use serde_json::Value;

const SEED: &str = "(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n";

/// A family of three versions in archives, and a fourth that can be added.
fn offer(folder: &Folder, versions: &[&str]) {
    let mut file = TargetFile::new("tiny");
    for version in versions {
        let script = format!(
            "#!/bin/sh\ncase \"$1\" in --version) echo tiny {version};; *) echo sat;; esac\n"
        );
        folder.write_program(&format!("targets/tiny-{version}/tiny"), script);
        file = file.get(&format!(
            "from = \"archive\"\npath = \"tiny-{version}\"\nversion = \"{version}\"\nbin = \"tiny\""
        ));
    }
    file.write(folder, "targets/tiny.toml");
    folder.write("seeds/a.smt2", SEED);
}

fn run(folder: &Folder, cache: &str, args: &[&str]) -> Ran {
    let mut command = folder.command(args);
    command.env("LYDITE_CACHE", folder.path().join(cache));
    Ran::new(args, command.output().unwrap())
}

fn hunt(folder: &Folder, cache: &str, out: &str, more: &[&str]) -> Ran {
    let mut args = vec![
        "hunt", "--target-files", "targets", "--seeds", "seeds", "-o", out,
    ];
    args.extend(more);
    run(folder, cache, &args)
}

/// The targets that a campaign wrote down.
fn targets_of(folder: &Folder, out: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.path().join(out).join("plan.json")).unwrap();
    let plan: Value = serde_json::from_str(&text).unwrap();
    let targets = plan["targets"].as_array().unwrap().iter();
    targets
        .map(|t| t["name"].as_str().unwrap().to_string())
        .collect()
}

#[test]
fn a_bare_name_becomes_the_newest_that_is_offered_whatever_is_installed() {
    let folder = Folder::new();
    offer(&folder, &["1.0", "2.0", "3.0"]);
    let install = |cache: &str, name: &str| {
        run(
            &folder,
            cache,
            &["targets", "install", name, "--target-files", "targets"],
        )
        .expect(0);
    };
    install("older", "tiny@2.0");
    install("newest", "tiny@3.0");
    install("all", "tiny@*");
    for cache in ["nothing", "older", "newest", "all"] {
        let names = [
            "--install", "-t", "tiny@1.0", "-t", "tiny@2.0", "-t", "tiny",
        ];
        let out = format!("out-{cache}");
        hunt(&folder, cache, &out, &names).expect(0);
        assert_eq!(
            targets_of(&folder, &out),
            ["tiny@1.0", "tiny@2.0", "tiny@3.0"]
        );
    }
}

#[test]
fn without_install_a_bare_name_is_the_newest_that_is_installed_and_that_is_said() {
    let folder = Folder::new();
    offer(&folder, &["1.0", "2.0"]);
    hunt(&folder, "cache", "none", &["-t", "tiny"])
        .expect(4)
        .says(&["target tiny: not installed (lydite targets install tiny)"]);
    run(
        &folder,
        "cache",
        &[
            "targets", "install", "tiny@1.0", "--target-files", "targets",
        ],
    )
    .expect(0);
    hunt(&folder, "cache", "out", &["-t", "tiny"])
        .expect(0)
        .says(&["tiny is tiny@1.0, the newest that is installed"]);
    assert_eq!(targets_of(&folder, "out"), ["tiny@1.0"]);
}

#[test]
fn a_campaign_goes_on_with_the_versions_that_it_began_with() {
    let folder = Folder::new();
    offer(&folder, &["1.0", "2.0"]);
    hunt(&folder, "cache", "out", &["--install", "-t", "tiny"]).expect(0);
    offer(&folder, &["1.0", "2.0", "3.0"]);
    hunt(&folder, "cache", "out", &["--install", "-t", "tiny"]).expect(0);
    assert_eq!(targets_of(&folder, "out"), ["tiny@2.0"]);
    run(&folder, "cache", &["hunt", "-o", "out"]).expect(0);
    assert_eq!(targets_of(&folder, "out"), ["tiny@2.0"]);
    hunt(&folder, "cache", "later", &["--install", "-t", "tiny"]).expect(0);
    assert_eq!(targets_of(&folder, "later"), ["tiny@3.0"]);
}

#[test]
fn two_names_of_one_target_say_what_each_became() {
    let folder = Folder::new();
    offer(&folder, &["1.0", "2.0"]);
    hunt(
        &folder,
        "cache",
        "out",
        &["--install", "-t", "tiny", "-t", "tiny@2.0"],
    )
    .expect(2)
    .says(&["named twice, as `tiny` (which is tiny@2.0) and as `tiny@2.0`"]);
}

#[test]
fn a_dry_run_shows_what_names_mean_and_installs_nothing() {
    let folder = Folder::new();
    offer(&folder, &["1.0", "2.0"]);
    let names = [
        "--install", "-t", "tiny", "--reference", "tiny@1.0", "--dry-run",
    ];
    let shown = hunt(&folder, "cache", "out", &names).expect(0).stdout;
    let words: Vec<Vec<&str>> = shown
        .lines()
        .map(|line| {
            line.split("  ")
                .map(str::trim)
                .filter(|w| !w.is_empty())
                .collect()
        })
        .collect();
    assert_eq!(
        words[1],
        ["tiny@2.0", "tested", "tiny", "would be installed"]
    );
    assert_eq!(
        words[2],
        ["tiny@1.0", "reference", "tiny@1.0", "would be installed"]
    );
    assert!(!folder.path().join("out").exists());
    assert!(!folder.path().join("cache/targets").exists());
    let shown = hunt(&folder, "cache", "out", &[&names[..], &["--json"]].concat()).expect(0);
    let first: Value = serde_json::from_str(shown.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["target"], "tiny@2.0");
    assert_eq!(first["installed"], false);
}
