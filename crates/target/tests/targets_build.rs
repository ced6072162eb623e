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
fn a_long_command_is_quoted_in_one_line_that_can_be_read() {
    let place = Place::new(
        r#"["sh", "-c", """echo {flags}
# a comment of several lines, as long as recipes are, a comment of several lines, as long as recipes
# are, a comment of several lines, as long as recipes are, a comment of several lines, as they are
exit 3"""]"#,
    );
    let error = place.install("toy").0.unwrap_err();
    assert!(!error.contains('\n') && error.contains(" …`"), "{error}");
    assert!(error.contains("sh -c echo -DNDEBUG # a comment"), "{error}");
}

#[test]
fn a_command_that_prints_for_ever_is_ended_and_its_log_stays_small() {
    let place = Place::new(r#"["sh", "-c", "{cc} {flags} -o toy toy.c; exec yes"]"#);
    for _ in 0..2 {
        let error = place.install("toy").0.unwrap_err();
        assert!(error.contains("it printed more than 64 MB"), "{error}");
        // What the first install printed is not kept beside that of the second.
        let log = fs::metadata(place.path("cache/logs/toy@1.0.log")).unwrap();
        assert!(log.len() <= 150_000_000, "{}", log.len());
    }
}

#[test]
fn what_a_command_leaves_running_ends_with_it() {
    let place = Place::new(
        r#"["sh", "-c", "setsid sleep 1000 > /dev/null 2>&1 & echo $! > PID; {cc} {flags} -o toy toy.c"]"#,
    );
    let pid = place.path("pid");
    let text = fs::read_to_string(place.path("toy.toml")).unwrap();
    let text = text.replace("PID", &pid.display().to_string());
    fs::write(place.path("toy.toml"), text).unwrap();
    place.install("toy").0.unwrap();
    let left = fs::read_to_string(pid).unwrap();
    let left = PathBuf::from("/proc").join(left.trim());
    assert!(!left.exists(), "{}", left.display());
}

#[test]
fn what_is_kept_lies_in_the_folder_of_the_source() {
    for (commands, expected) in [
        ("ln -s /etc/passwd toy", "leads out of the source's folder"),
        (
            "ln -s ../state.json toy",
            "leads out of the source's folder",
        ),
        ("ln -s /dev/zero toy", "leads out of the source's folder"),
        ("mkfifo toy", "neither a file nor a link"),
        ("ln -s nowhere toy", "neither a file nor a link"),
        ("rm -rf ../source", "source: No such file"),
    ] {
        let place = Place::new(&format!(r#"["sh", "-c", "{commands} # {{flags}}"]"#));
        let error = place.install("toy").0.unwrap_err();
        assert!(error.contains(expected), "{commands}: {error}");
        assert!(place.cache().root().join("targets").read_dir().is_err());
    }
    // A link inside of it becomes what it leads to.
    let place = Place::new(
        r#"["sh", "-c", "mkdir out; {cc} {flags} -o out/it toy.c; ln -s out/it toy; mkdir closed; chmod 0 closed"]"#,
    );
    let toy = place.install("toy").0.unwrap();
    assert!(place.outcome(&toy, "good").contains("release"));
}

#[test]
fn an_archive_is_a_source_too_and_one_with_other_contents_is_built_again() {
    let place = Place::new(BY_SHELL);
    let text = fs::read_to_string(place.path("toy.toml")).unwrap();
    let text = text.replace("path = \"source\"", "path = \"toy-1.0.tar.gz\"");
    fs::write(place.path("toy.toml"), text).unwrap();
    let pack = |text: &str| {
        let file = fs::File::create(place.path("toy-1.0.tar.gz")).unwrap();
        let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(
            file,
            flate2::Compression::none(),
        ));
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        let name = "toy-1.0/toy.c";
        tar.append_data(&mut header, name, text.as_bytes()).unwrap();
        tar.into_inner().unwrap().finish().unwrap();
    };
    pack(SOURCE);
    let toy = place.install("toy").0.unwrap();
    assert!(place.outcome(&toy, "good").contains("release"));
    pack(&SOURCE.replace("release", "version"));
    let toy = place.install("toy").0.unwrap();
    assert!(place.outcome(&toy, "good").contains("version"));
}

#[test]
fn contents_and_not_times_say_whether_a_source_was_changed() {
    let place = Place::new(BY_SHELL);
    place.install("toy").0.unwrap();
    let built = |said: &[String]| said.iter().any(|line| line.contains("building"));
    let source = place.path("source/toy.c");
    let at = fs::metadata(&source).unwrap().modified().unwrap();
    let write = |text: &str, at: std::time::SystemTime| {
        fs::write(&source, text).unwrap();
        let file = fs::File::options().write(true).open(&source).unwrap();
        file.set_modified(at).unwrap();
    };
    write(SOURCE, at + std::time::Duration::from_secs(60));
    assert!(!built(&place.install("toy").1));
    write(&SOURCE.replace("release", "version"), at);
    assert!(built(&place.install("toy").1));
}

#[test]
fn two_installs_of_one_build_at_once_build_once() {
    let place = Place::new(
        r#"["sh", "-c", "echo x >> COUNT; {cc} {flags} -o toy toy.c; while [ ! -e GO ]; do sleep 0.01; done"]"#,
    );
    let (count, go) = (place.path("count"), place.path("go"));
    let text = fs::read_to_string(place.path("toy.toml")).unwrap();
    let text = text.replace("COUNT", &count.display().to_string());
    let text = text.replace("GO", &go.display().to_string());
    fs::write(place.path("toy.toml"), text).unwrap();
    std::thread::scope(|scope| {
        let installs: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| place.install("toy").0.unwrap().installed().bin.clone()))
            .collect();
        // The second waits for the first, wherever that is.
        fs::write(&go, "").unwrap();
        let bins: Vec<PathBuf> = installs
            .into_iter()
            .map(|one| one.join().unwrap())
            .collect();
        assert_eq!(bins[0], bins[1]);
    });
    assert_eq!(fs::read_to_string(count).unwrap(), "x\n");
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
