//! Death of our own process in the middle of a run.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use super::{alone, is_alive, zoo};

/// Kills one of our own programs in the middle of a run, with `kill -9`.
fn kill_a_run(temporary: &Path) {
    let run_one = zoo::example("run_one");
    let script =
        "setsid sh -c 'trap \"\" TERM; sleep 600' & echo $! > pid.tmp; mv pid.tmp pid; sleep 600";
    let mut victim = std::process::Command::new(run_one)
        .args(["60000", "sh", "-c", script])
        .env("TMPDIR", temporary)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut root = String::new();
    let out = victim.stdout.take().expect("a pipe");
    BufReader::new(out)
        .read_line(&mut root)
        .expect("the root's path");
    let root = Path::new(root.trim());
    let pid_file = root.join("0").join("pid");
    until("the run is in progress", || pid_file.exists());
    let pid = fs::read_to_string(&pid_file).expect("a number");
    assert!(is_alive(pid.trim()));
    victim.kill().expect("killed");
    victim.wait().expect("reaped");
    until("the escaped process is dead", || !is_running(pid.trim()));
    until("the root is gone", || !root.exists());
}

/// False also for a zombie that somebody else has to reap.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| {
        let state = rest.split_whitespace().next();
        state.is_some_and(|state| state != "Z" && state != "X")
    })
}

fn until(what: &str, happens: impl Fn() -> bool) {
    let started = Instant::now();
    while !happens() {
        assert!(started.elapsed() < Duration::from_secs(20), "never: {what}");
        std::thread::yield_now();
    }
}

#[test]
fn if_we_are_killed_nothing_of_ours_survives() {
    let _alone = alone();
    let name = format!("lydite test $HOME 'quoted' {}", std::process::id());
    let temporary = std::env::temp_dir().join(name);
    fs::create_dir(&temporary).expect("a folder");
    kill_a_run(&temporary);
    let left = fs::read_dir(&temporary).expect("the folder").count();
    assert_eq!(left, 0);
    fs::remove_dir(&temporary).expect("empty");
}
