//! Corpora: got once, named among seeds, kept in the campaign.

use std::fs;

use crate::lydite::{Folder, Ran, zoo_targets};
use serde_json::Value;

/// A folder with a corpus of the user's: small scripts, in a folder that stands
/// for an archive.
fn folder_with_corpus() -> Folder {
    let folder = Folder::new();
    for number in 0..40 {
        let script = format!(
            "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x {number}))\n(check-sat)\n"
        );
        folder.write(&format!("tests/regress/{number:02}.smt2"), script);
    }
    folder.write("tests/LICENSE", "as you like");
    folder.write(
        "lydite-corpora/mine.toml",
        "corpus = \"mine\"\nabout = \"small scripts\"\nlanguage = \"smtlib\"\nfrom = \"archive\"\n\
         path = \"../tests\"\nversion = \"1.0\"\nfiles = [\"regress/*.smt2\"]\nlicence = \"MIT\"\n\
         licence-file = \"LICENSE\"\n",
    );
    folder
}

/// A cache of its own.
fn run(folder: &Folder, args: &[&str]) -> Ran {
    let mut command = folder.command(args);
    command.env("LYDITE_CACHE", folder.path().join("cache/lydite"));
    Ran::new(args, command.output().unwrap())
}

#[test]
fn a_corpus_is_listed_got_and_shown() {
    let folder = folder_with_corpus();
    let listed = run(&folder, &["seeds", "list", "mine", "--json"])
        .expect(0)
        .json();
    assert_eq!(listed["installed"], serde_json::json!([]));
    run(&folder, &["seeds", "get", "mien"])
        .expect(2)
        .says(&["corpus mien: not known (did you mean `mine`?)"]);
    run(
        &folder,
        &["generate", "files", "--seeds", "corpus:mine", "-o", "-"],
    )
    .expect(2)
    .says(&["corpus mine: not installed (lydite seeds get mine)"]);
    let got = run(&folder, &["seeds", "get", "mine", "--json"])
        .expect(0)
        .json();
    assert_eq!(
        (&got["files"], &got["licence"]),
        (&40.into(), &"MIT".into())
    );
    let listed = run(&folder, &["seeds", "list"]).expect(0);
    assert!(listed.stdout.contains("gcc-torture"), "{}", listed.stdout);
    let count = run(&folder, &["count", "files", "--seeds", "corpus:mine"]).expect(0);
    assert_eq!(count.stdout.lines().next(), Some("40"));
}

#[test]
fn a_hunt_gets_what_it_may_and_keeps_which_version_it_used() {
    let folder = folder_with_corpus();
    let targets = zoo_targets();
    folder.write(
        "plan.toml",
        "targets = [\"zoo-solver\"]\ncases = 10\n[[strategy]]\nname = \"files\"\n\
         seeds = [\"corpus:mine\"]\n[limits]\nseeds-total = \"1KiB\"\n",
    );
    let hunt = |more: &[&str]| {
        let mut args = vec!["hunt", "plan.toml", "--target-files", &targets, "-o", "out"];
        args.extend(more);
        run(&folder, &args)
    };
    hunt(&[]).expect(2).says(&["lydite seeds get mine"]);
    let ran = hunt(&["--install"]).expect(0);
    let said = ran.stderr.clone();
    assert!(said.contains(" of 40 seeds are used"), "{said}");
    assert!(said.contains("seeds of mine 1.0"), "{said}");
    let plan = fs::read_to_string(folder.path().join("out/plan.json")).unwrap();
    let plan: Value = serde_json::from_str(&plan).unwrap();
    let corpus = &plan["plan"]["corpora"][0];
    assert_eq!(
        (&corpus["name"], &corpus["version"]),
        (&"mine".into(), &"1.0".into())
    );
    assert_eq!(corpus["blake3"].as_str().unwrap().len(), 64);
    // It goes on, by its plan and by its folder.
    hunt(&["--cases", "12"]).expect(0);
    run(
        &folder,
        &[
            "hunt", "-o", "out", "--target-files", &targets, "--cases", "14",
        ],
    )
    .expect(0);
}

#[test]
fn a_small_package_of_a_registry_is_got() {
    let folder = Folder::new();
    let got = folder
        .run(&["seeds", "get", "test262-parser", "--json"])
        .expect(0)
        .json();
    assert!(got["files"].as_u64().unwrap() > 2000, "{got}");
    assert_eq!(got["archives"][0]["blake3"].as_str().unwrap().len(), 64);
    let folder = got["folder"].as_str().unwrap();
    assert!(fs::metadata(folder).unwrap().is_dir());
}
