//! Processors that are built from their source: where they go, how they go on
//! after an interruption, and what is said if they cannot be built.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use lydite_core::{Program, Role, TargetName};
use lydite_process::Scratch;
use lydite_target::install::{self, Cache};
use lydite_target::{Catalogue, RunLimits, Target};
use tempfile::TempDir;

/// A folder with the source of a small processor, its target file and a cache.
struct Place(TempDir);

/// Says which build it is, and ends with an assertion on a word.
const SOURCE: &str = r#"#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  char word[64] = "";
  FILE *file = fopen(argv[argc - 1], "r");
  if (file) fscanf(file, "%63s", word);
  assert(strcmp(word, "bad"));
#ifdef NDEBUG
  puts("release");
#else
  puts("assertions");
#endif
  return 0;
}
"#;

impl Place {
    /// `commands` are the lines of the list of that name.
    fn new(commands: &str) -> Place {
        let place = Place(TempDir::with_prefix("lydite-build-").unwrap());
        fs::create_dir(place.path("source")).unwrap();
        fs::write(place.path("source/toy.c"), SOURCE).unwrap();
        place.write_file(commands);
        place
    }

    fn write_file(&self, commands: &str) {
        let text = format!(
            r#"
family = "toy"
language = "text"
about = "a processor that is built here"

[[get]]
from = "source"
path = "source"
version = "1.0"
bin = "toy"
[get.build]
commands = [{commands}]
flags = "-DNDEBUG"
keep = ["toy"]
minutes = 2

[variant.assertions]
flags = "-O1 -g"

[variant.loud]
options = ["--loud"]

[run]
file = "case.txt"
[[run.step]]
argv = ["{{bin}}", "{{options}}", "{{file}}"]

[read]
kind = "output"
crash = ['(?<site1>[\w-]+\.c):\d+: (?:.*: )?(?<site2>Assertion `.*. failed)']
"#
        );
        fs::write(self.path("toy.toml"), text).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn cache(&self) -> Cache {
        Cache::at(self.path("cache"))
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue::load(&[self.path("toy.toml")]).unwrap()
    }

    /// The target of a name, or the error, and what was said meanwhile.
    fn install(&self, name: &str) -> (Result<Target, String>, Vec<String>) {
        let name: TargetName = name.parse().unwrap();
        let mut said = Vec::new();
        let mut say = |line: &str| said.push(line.to_string());
        let installed = install::install(&self.catalogue(), &name, &self.cache(), &mut say);
        let installed = installed.map(|mut targets| targets.remove(0));
        (installed.map_err(|error| format!("{error:#}")), said)
    }

    /// What a target makes of a program.
    fn outcome(&self, target: &Target, program: &str) -> String {
        let scratch = Scratch::new().unwrap();
        let program = Program::single("case.txt", program.as_bytes().to_vec());
        let limits = RunLimits::default();
        let observation = target.observe(&program, 0, Role::Tested, &limits, &scratch);
        observation.outcome.to_string()
    }
}

const COMPILE: &str = r#"["{cc}", "{flags}", "-o", "toy", "toy.c"]"#;

/// Compiles with flags that may be several words.
const BY_SHELL: &str = r#"["sh", "-c", "{cc} {flags} -o toy toy.c"]"#;

#[test]
fn a_build_and_its_variant_are_two_binaries_and_other_variants_share_the_plain_one() {
    let place = Place::new(BY_SHELL);
    let plain = place.install("toy").0.unwrap();
    let loud = place.install("toy:loud").0.unwrap();
    let asserting = place.install("toy:assertions").0.unwrap();
    assert_eq!(plain.installed().bin, loud.installed().bin);
    assert_ne!(plain.installed().bin, asserting.installed().bin);
    assert!(place.outcome(&plain, "good").contains("release"));
    assert!(place.outcome(&plain, "bad").contains("release"));
    assert!(place.outcome(&asserting, "good").contains("assertions"));
    let died = place.outcome(&asserting, "bad");
    assert!(
        died.contains("toy.c") && died.contains("Assertion"),
        "{died}"
    );
}

#[test]
fn a_build_that_is_not_there_is_named_with_its_variant() {
    let place = Place::new(COMPILE);
    place.install("toy").0.unwrap();
    let name: TargetName = "toy:assertions".parse().unwrap();
    let error = place
        .catalogue()
        .resolve(&name, &place.cache())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("(lydite targets install toy:assertions)"),
        "{error}"
    );
}

#[test]
fn nothing_is_left_of_a_build_but_what_is_kept_and_the_log() {
    let place = Place::new(r#"["sh", "-c", "echo hello; {cc} {flags} -o toy toy.c"]"#);
    let target = place.install("toy").0.unwrap();
    let root = fs::read_dir(&target.installed().root).unwrap();
    let kept: Vec<_> = root.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(kept, ["toy"]);
    assert_eq!(
        fs::read_dir(place.path("cache/building")).unwrap().count(),
        0
    );
    let log = fs::read_to_string(place.path("cache/logs/toy@1.0.log")).unwrap();
    assert!(log.contains("hello"), "{log}");
    // The source itself is as it was.
    assert_eq!(fs::read_dir(place.path("source")).unwrap().count(), 1);
}

#[test]
fn a_build_that_failed_goes_on_with_the_command_that_failed() {
    // The second command wants a file that somebody makes in between.
    let commands = r#"["sh", "-c", "echo once >> count"], ["sh", "-c", "test -e READY && {cc} {flags} -o toy toy.c"], ["sh", "-c", "cp count toy.count"]"#;
    let place = Place::new(commands);
    let ready = place.path("ready");
    let commands = commands.replace("READY", &ready.display().to_string());
    place.write_file(&commands);
    let error = place.install("toy").0.unwrap_err();
    assert!(error.contains("ended with status 1"), "{error}");
    assert!(error.contains("logs/toy@1.0.log"), "{error}");
    fs::write(&ready, "").unwrap();
    let building = place.path("cache/building/toy@1.0/source/count");
    assert_eq!(fs::read_to_string(&building).unwrap(), "once\n");
    let (target, said) = place.install("toy");
    target.unwrap();
    assert!(
        !said.iter().any(|line| line.contains("command 1 of 3")),
        "{said:?}"
    );
}

#[test]
fn a_command_that_fails_is_said_with_its_last_lines() {
    let place = Place::new(r#"["sh", "-c", "echo {flags} fatal error: no luck today; exit 7"]"#);
    let error = place.install("toy").0.unwrap_err();
    for part in ["target toy@1.0", "exit 7", "status 7", "no luck today"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let place = Place::new(COMPILE);
    let text = fs::read_to_string(place.path("toy.toml")).unwrap();
    let text = text.replace("minutes = 2", "needs = [\"no-such-tool\"]");
    fs::write(place.path("toy.toml"), text).unwrap();
    let error = place.install("toy").0.unwrap_err();
    assert!(
        error.contains("needs the command `no-such-tool`"),
        "{error}"
    );
}

#[test]
fn a_source_that_was_changed_is_built_again_and_one_that_was_not_is_not() {
    let place = Place::new(BY_SHELL);
    let before = place.install("toy").0.unwrap();
    let built = |said: &[String]| said.iter().any(|line| line.contains("building"));
    assert!(!built(&place.install("toy").1));
    let changed = SOURCE.replace("release", "another release");
    fs::write(place.path("source/toy.c"), changed).unwrap();
    let (after, said) = place.install("toy");
    assert!(built(&said), "{said:?}");
    assert!(
        place
            .outcome(&after.unwrap(), "good")
            .contains("another release")
    );
    drop(before);
}

#[test]
fn a_file_that_says_a_build_wrongly_says_what_is_wrong() {
    let place = Place::new(COMPILE);
    let right = fs::read_to_string(place.path("toy.toml")).unwrap();
    for (from, to, expected) in [
        (
            "commands = [[", "commands = []\nx = [[", "unknown field `x`",
        ),
        ("keep = [\"toy\"]", "keep = []", "`keep` is empty"),
        (
            "keep = [\"toy\"]", "keep = [\"../toy\"]", "below the source",
        ),
        ("minutes = 2", "minutes = 0", "`minutes`"),
        ("{flags}", "{flgs}", "`flags` are given"),
        (
            "path = ", "original = true\npath = ", "`original` goes with",
        ),
        ("from = \"source\"", "from = \"archive\"", "goes with"),
        ("version = \"1.0\"", "", "`version` is missing"),
    ] {
        fs::write(place.path("toy.toml"), right.replace(from, to)).unwrap();
        let error = Catalogue::load(&[place.path("toy.toml")]).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains(expected), "{from}: {error}");
    }
}

/// Two real processors, from Debian's source packages and an empty cache.
#[test]
fn lua_is_built_with_assertions_and_tcc_with_a_sanitizer_from_their_sources() {
    let folder = TempDir::with_prefix("lydite-sources-").unwrap();
    let cache = Cache::at(folder.path());
    let catalogue = Catalogue::load(&[]).unwrap();
    let scratch = Scratch::new().unwrap();
    let mut names = Vec::new();
    for name in ["lua@5.1:assertions", "tcc:sanitize"] {
        let name: TargetName = name.parse().unwrap();
        names.push(
            install::install(&catalogue, &name, &cache, &mut |_| ())
                .unwrap()
                .remove(0)
                .name,
        );
    }
    let healths = install::doctor(&catalogue, &names, &cache, &scratch).unwrap();
    for (health, word) in healths.iter().zip(["__assert_fail", "__asan_init"]) {
        assert!(health.is_good(), "{:?}", health.problems);
        let binary = fs::read(&health.binary).unwrap();
        let has = |word: &str| binary.windows(word.len()).any(|at| at == word.as_bytes());
        assert!(has(word), "{}", health.binary);
    }
    assert_eq!(healths.len(), 2);
}
