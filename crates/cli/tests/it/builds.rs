//! A build that is killed in the middle.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::lydite::{Folder, Ran};

/// What is waited for comes long before.
const PATIENCE: Duration = Duration::from_secs(120);

const INSTALL: [&str; 6] = [
    "targets", "install", "-q", "slow", "--target-files", "slow.toml",
];

/// Its first command leaves a mark, its second stays for ever until there is a file `go`.
fn write_target(folder: &Folder) {
    folder.write("source/tool", "#!/bin/sh\necho 42\n");
    let place = folder.path().display();
    folder.write(
        "slow.toml",
        format!(
            r##"
family = "slow"
language = "lua"
about = "takes its time"
[[get]]
from = "source"
path = "{place}/source"
version = "1.0"
bin = "tool"
[get.build]
commands = [
    ["sh", "-c", "echo '# begun' >> tool"],
    ["sh", "-c", "test -f {place}/go || {{ echo $$ > {place}/pid.new; mv {place}/pid.new {place}/pid; exec sleep 1000; }}"],
]
keep = ["tool"]
[run]
file = "case.lua"
[[run.step]]
argv = ["{{bin}}", "{{file}}"]
[read]
kind = "output"
[smoke]
program = "print(42)"
expect = "42"
"##
        ),
    );
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "not yet: {what}");
        std::thread::yield_now();
    }
}

#[test]
fn a_killed_build_leaves_nothing_running_and_the_next_install_goes_on() {
    let folder = Folder::new();
    write_target(&folder);
    let install = || {
        let mut command = folder.command(&INSTALL);
        command.env("LYDITE_CACHE", folder.path().join("cache"));
        command
    };
    let mut killed = install().spawn().unwrap();
    let pid = folder.path().join("pid");
    wait_until("the second command", || pid.exists());
    killed.kill().unwrap();
    killed.wait().unwrap();
    let left = fs::read_to_string(&pid).unwrap();
    let left = Path::new("/proc").join(left.trim());
    wait_until("the end of what was started", || !left.exists());

    folder.write("go", "");
    Ran::new(&INSTALL, install().output().unwrap()).expect(0);
    let tool = folder.path().join("cache/targets/slow/1.0/root/tool");
    let text = fs::read_to_string(tool).unwrap();
    assert_eq!(text, "#!/bin/sh\necho 42\n# begun\n");
}

/// Its command begins a file, and trips over that file when it begins it again.
#[test]
fn a_build_that_was_killed_and_then_fails_begins_anew() {
    let folder = Folder::new();
    write_target(&folder);
    let place = folder.path().display();
    let text = fs::read_to_string(folder.path().join("slow.toml")).unwrap();
    let begins = format!("test ! -e half || exit 9; echo > half; test -f {place}/go");
    let text = text.replace(&format!("test -f {place}/go"), &begins);
    folder.write("slow.toml", text);
    let install = || {
        let mut command = folder.command(&INSTALL);
        command.env("LYDITE_CACHE", folder.path().join("cache"));
        command
    };
    let mut killed = install().spawn().unwrap();
    let pid = folder.path().join("pid");
    wait_until("the second command", || pid.exists());
    killed.kill().unwrap();
    killed.wait().unwrap();
    folder.write("go", "");
    Ran::new(&INSTALL, install().output().unwrap()).expect(0);
    assert!(folder.path().join("cache/targets/slow/1.0").exists());
}
