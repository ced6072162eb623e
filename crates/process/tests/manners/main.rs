//! Whatever manners a program has, a run of it ends in time with the right
//! result, and nothing of it is left.

mod killed;
mod limited;
#[path = "../zoo/mod.rs"]
mod zoo;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lydite_core::Exit;
use lydite_process::{
    Command, Cut, Dialogue, Ended, Limits, LongLived, Memory, Scratch, Withdrawn, run,
};

/// One test at a time: they count what belongs to this process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn limits(wall_ms: u64) -> Limits {
    Limits {
        wall: Duration::from_millis(wall_ms),
        memory: Memory::Unlimited,
        keep_head: 100_000,
        keep_tail: 10_000,
        ..Limits::default()
    }
}

/// Long enough that it is never the wall limit that ends a run.
const PLENTY_MS: u64 = 60_000;

fn run_in(scratch: &Scratch, argv: &[&str], limits: &Limits) -> Ended {
    let folder = scratch.folder().expect("a folder");
    let argv: Vec<OsString> = argv.iter().map(OsString::from).collect();
    let command = Command {
        argv: &argv,
        dir: folder.path(),
        stdin: None,
        env: &[],
        limits,
    };
    run(&command).expect("it starts")
}

fn manner(scratch: &Scratch, words: &[&str], limits: &Limits) -> Ended {
    let program = zoo::program("zoo-manners");
    let program = program.to_str().expect("a UTF-8 path");
    run_in(scratch, &[&[program], words].concat(), limits)
}

/// What must be the same before and after.
#[derive(Debug, PartialEq, Eq)]
struct Belongings {
    files: usize,
    children: Vec<String>,
    tagged: Vec<PathBuf>,
}

fn belongings() -> Belongings {
    let pid = std::process::id();
    let tag = format!("LYDITE_RUN={pid}-");
    let mut children = Vec::new();
    for task in fs::read_dir("/proc/self/task").expect("tasks") {
        let list = task.expect("a task").path().join("children");
        let list = fs::read_to_string(list).unwrap_or_default();
        children.extend(list.split_whitespace().map(String::from));
    }
    children.sort();
    let has_tag = |path: &PathBuf| {
        let environ = fs::read(path.join("environ")).unwrap_or_default();
        environ
            .split(|&byte| byte == 0)
            .any(|variable| variable.starts_with(tag.as_bytes()))
    };
    let processes = fs::read_dir("/proc").expect("proc");
    let paths = processes.map(|entry| entry.expect("an entry").path());
    Belongings {
        files: fs::read_dir("/proc/self/fd").expect("files").count(),
        children,
        tagged: paths.filter(has_tag).collect(),
    }
}

/// Does something with a scratch root of its own; afterwards everything must
/// be as it was.
fn nothing_stays(act: impl FnOnce(&Scratch)) {
    let _alone = alone();
    // What is opened once and for all has to be open before the count.
    drop(Scratch::new().expect("a root"));
    zoo::program("zoo-manners");
    let first = Scratch::new().expect("a root");
    manner(&first, &["exit", "0"], &limits(PLENTY_MS));
    drop(first);
    let before = belongings();
    let scratch = Scratch::new().expect("a root");
    let root = scratch.root().to_path_buf();
    act(&scratch);
    let left: Vec<_> = fs::read_dir(&root).map_or(Vec::new(), |entries| {
        entries
            .map(|entry| entry.expect("an entry").path())
            .collect()
    });
    assert_eq!(left, Vec::<PathBuf>::new());
    drop(scratch);
    assert!(!root.exists());
    assert_eq!(belongings(), before);
}

fn is_alive(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

fn resident_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("status");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|kb| kb.parse().ok()).expect("VmRSS in kB")
}

#[test]
fn exit_statuses_are_kept() {
    nothing_stays(|scratch| {
        for status in [0, 1, 7, 126, 255] {
            let ended = manner(scratch, &["exit", &status.to_string()], &limits(PLENTY_MS));
            assert_eq!((ended.exit, ended.cut), (Exit::Status(status), None));
        }
    });
}

#[test]
fn every_signal_is_kept() {
    const IGNORED: [i32; 4] = [17, 18, 23, 28];
    const STOPPING: [i32; 4] = [19, 20, 21, 22];
    nothing_stays(|scratch| {
        for signal in (1..=31).chain(34..=64) {
            let (wall_ms, exit, cut) = match signal {
                _ if IGNORED.contains(&signal) => (PLENTY_MS, Exit::Status(0), None),
                _ if STOPPING.contains(&signal) => (100, Exit::Signal(9), Some(Cut::WallTime)),
                25 => (PLENTY_MS, Exit::Signal(25), Some(Cut::FileSize)),
                _ => (PLENTY_MS, Exit::Signal(signal), None),
            };
            // Whoever runs the tests may ignore a signal (a shell does so for
            // its background jobs), and children inherit that.
            let program = zoo::program("zoo-manners");
            let program = program.to_str().expect("a UTF-8 path");
            let number = signal.to_string();
            let words = ["env", "--default-signal", program, "die", &number];
            let ended = run_in(scratch, &words, &limits(wall_ms));
            assert_eq!((ended.exit, ended.cut), (exit, cut), "signal {signal}");
        }
    });
}

#[test]
fn grandchildren_that_stay_do_not_delay_us_and_die() {
    let who = ["hold-pipes", "escape", "escape-clean", "intrude"];
    nothing_stays(|scratch| {
        for what in who {
            let ended = manner(scratch, &[what], &limits(PLENTY_MS));
            assert_eq!((ended.exit, ended.cut), (Exit::Status(0), None), "{what}");
            let text = ended.stdout.text();
            let pid = text.trim().strip_prefix("left ").expect("a number");
            assert!(!is_alive(pid), "{what}");
            assert!(ended.wall < Duration::from_secs(10), "{what}");
        }
        for words in [["daemon", ""], ["job", ""], ["zombies", "20"]] {
            let ended = manner(scratch, &words, &limits(PLENTY_MS));
            assert_eq!(
                (ended.exit, ended.cut),
                (Exit::Status(0), None),
                "{words:?}"
            );
        }
    });
}

#[test]
fn a_process_that_stays_is_told_one_text_after_the_other() {
    nothing_stays(|scratch| {
        let folder = scratch.folder().expect("a folder");
        let start = |words: &[&str]| {
            let argv: Vec<OsString> = words.iter().map(OsString::from).collect();
            let limits = limits(PLENTY_MS);
            let command = Command {
                argv: &argv,
                dir: folder.path(),
                stdin: None,
                env: &[],
                limits: &limits,
            };
            Dialogue::start(&command).expect("it starts")
        };
        let within = (Duration::from_secs(60), Some(Duration::from_millis(200)));
        let mut cat = start(&["cat"]);
        for text in ["sat", "unsat\nsat"] {
            let told = format!("{text}\n\"m1\"\n");
            let (ended, goes_on) = cat.tell(told.as_bytes(), "m1", within).expect("told");
            assert!(goes_on);
            assert_eq!(ended.stdout.text(), format!("{text}\n"));
        }
        assert!(cat.tell(&vec![b' '; 1 << 20], "m1", within).is_none());
        // Its end and the end of its time are the end of the dialogue.
        let mut ends = start(&["sh", "-c", "read line; echo seen; exit 3"]);
        let (ended, goes_on) = ends.tell(b"x\n", "m1", within).expect("told");
        assert!(!goes_on && ended.cut.is_none());
        assert_eq!(
            (ended.exit, ended.stdout.text()),
            (Exit::Status(3), "seen\n".into())
        );
        let mut spins = start(&["sh", "-c", "read line; while :; do :; done"]);
        let (ended, goes_on) = spins.tell(b"x\n", "m1", within).expect("told");
        assert!(!goes_on);
        assert_eq!(ended.cut, Some(Cut::CpuTime));
        assert!(ended.cpu >= Duration::from_millis(180), "{:?}", ended.cpu);
        assert!(spins.tell(b"x\n", "m1", within).is_none());
    });
}

#[test]
fn a_run_that_nobody_waits_for_any_more_ends_before_its_time() {
    nothing_stays(|scratch| {
        let withdrawn = Withdrawn::default();
        let limits = Limits {
            withdrawn: Some(withdrawn.clone()),
            ..limits(PLENTY_MS)
        };
        let ended = std::thread::scope(|scope| {
            let run = scope.spawn(|| manner(scratch, &["hang"], &limits));
            withdrawn.withdraw();
            run.join().expect("no panic")
        });
        assert_eq!(
            (ended.exit, ended.cut),
            (Exit::Signal(9), Some(Cut::WallTime))
        );
        assert!(ended.wall < limits.wall, "{:?}", ended.wall);
    });
}

#[test]
fn output_is_kept_byte_for_byte_whatever_it_is() {
    nothing_stays(|scratch| {
        let ended = manner(scratch, &["garbage"], &limits(PLENTY_MS));
        assert_eq!(ended.exit, Exit::Status(0));
        assert!(
            ended
                .stdout
                .head
                .starts_with(b"\xff\xfe\x80 \xc3\x28 \xed\xa0\x80 \0 nul\r\n\x1b[2J")
        );
        assert!(ended.stdout.head.ends_with("\u{feff}\n".as_bytes()));
        let ended = manner(scratch, &["close-stdout"], &limits(PLENTY_MS));
        assert_eq!(ended.exit, Exit::Status(7));
        assert_eq!(ended.stdout.text(), "early\n");
        assert!(ended.stderr.text().ends_with("still here\n"));
        let ended = manner(scratch, &["trickle", "5"], &limits(PLENTY_MS));
        assert_eq!(
            ended.stdout.text(),
            "line 0\nline 1\nline 2\nline 3\nline 4\n"
        );
    });
}

#[test]
fn two_gigabytes_of_output_cost_no_memory() {
    const BYTES: u64 = 2_000_000_000;
    nothing_stays(|scratch| {
        let before = resident_kb();
        let ended = manner(scratch, &["flood", &BYTES.to_string()], &limits(PLENTY_MS));
        assert_eq!((ended.exit, ended.cut), (Exit::Status(0), None));
        let (head, tail) = (ended.stdout.head.len(), ended.stdout.tail.len());
        assert_eq!((head, tail), (100_000, 10_000));
        assert_eq!(ended.stdout.dropped, BYTES - 110_000);
        assert!(resident_kb() < before + 4096, "{before} kB before");
    });
}

#[test]
fn hundreds_of_floods_do_not_make_us_grow() {
    nothing_stays(|scratch| {
        let flood = || {
            let ended = manner(scratch, &["flood-both", "1000000"], &limits(PLENTY_MS));
            assert_eq!(ended.exit, Exit::Status(0));
            assert_eq!(ended.stdout.dropped, 890_000);
            assert_eq!(ended.stderr.dropped, 890_000);
        };
        (0..20).for_each(|_| flood());
        let before = resident_kb();
        (0..200).for_each(|_| flood());
        assert!(resident_kb() < before + 4096, "{before} kB before");
    });
}

#[test]
fn a_folder_goes_whatever_is_done_to_it() {
    nothing_stays(|scratch| {
        for words in [
            ["delete-folder", ""],
            ["deep-folders", "1100"],
            ["closed-folders", ""],
        ] {
            let ended = manner(scratch, &words, &limits(PLENTY_MS));
            assert_eq!(ended.exit, Exit::Status(0), "{words:?} {:?}", ended.stderr);
        }
        let script = "cd ..; chmod 500 .; rm -rf \"$PWD\"";
        run_in(scratch, &["sh", "-c", script], &limits(PLENTY_MS));
        let ended = manner(scratch, &["exit", "0"], &limits(PLENTY_MS));
        assert_eq!(ended.exit, Exit::Status(0));
    });
}

#[test]
fn the_environment_is_clean_and_the_input_is_the_file() {
    nothing_stays(|scratch| {
        let folder = scratch.folder().expect("a folder");
        fs::write(folder.path().join("in"), b"abc\xff").expect("input");
        let manners = zoo::program("zoo-manners").into_os_string();
        let (argv, input) = (
            [manners.clone(), "environment".into()],
            folder.path().join("in"),
        );
        let env = [("EXTRA".to_string(), "1 2".to_string())];
        let limits = limits(PLENTY_MS);
        let command = Command {
            argv: &argv,
            dir: folder.path(),
            stdin: None,
            env: &env,
            limits: &limits,
        };
        let text = run(&command).expect("it starts").stdout.text();
        let dir = folder.path().display();
        let mut lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.remove(0), dir.to_string());
        lines.sort_unstable();
        let names: Vec<&str> = lines
            .iter()
            .map(|line| line.split('=').next().unwrap())
            .collect();
        assert_eq!(
            names,
            ["EXTRA", "HOME", "LANG", "LYDITE_RUN", "PATH", "TMPDIR"]
        );
        assert_eq!(lines[0], "EXTRA=1 2");
        assert_eq!(lines[1], format!("HOME={dir}"));
        assert_eq!(lines[2], "LANG=C.UTF-8");
        for (stdin, text) in [(None, b"".as_slice()), (Some(input.as_path()), b"abc\xff")] {
            let argv = [manners.clone(), "cat".into()];
            let command = Command {
                argv: &argv,
                stdin,
                ..command
            };
            assert_eq!(run(&command).expect("it starts").stdout.head, text);
        }
    });
}

#[test]
fn a_child_gets_three_open_files_and_no_more() {
    const LIST: [&str; 2] = ["ls", "/proc/self/fd"];
    nothing_stays(|scratch| {
        // The fourth is the folder that `ls` reads. Files that whoever
        // started us forgot to close are not ours to close.
        let bare = std::process::Command::new(LIST[0]).arg(LIST[1]).output();
        let bare = bare.expect("it starts").stdout;
        assert!(bare.starts_with(b"0\n1\n"));
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    for _ in 0..25 {
                        let ended = run_in(scratch, &LIST, &limits(PLENTY_MS));
                        assert_eq!(ended.stdout.head, bare);
                    }
                });
            }
        });
    });
}

#[test]
fn what_cannot_start_is_an_error_that_names_it() {
    nothing_stays(|scratch| {
        let folder = scratch.folder().expect("a folder");
        fs::write(folder.path().join("plain"), "").expect("a file");
        let limits = limits(PLENTY_MS);
        let gone = folder.path().join("gone");
        for (program, dir, part) in [
            (
                "no-such-program",
                folder.path(),
                "no-such-program: not found",
            ),
            (
                "/no/such/program",
                folder.path(),
                "/no/such/program: cannot start",
            ),
            ("./plain", folder.path(), "./plain: cannot start"),
            ("true", gone.as_path(), "true: cannot start in /"),
        ] {
            let argv = [OsString::from(program)];
            let command = Command {
                argv: &argv,
                dir,
                stdin: None,
                env: &[],
                limits: &limits,
            };
            let error = run(&command).unwrap_err().to_string();
            assert!(error.starts_with(part), "{error}");
            let command = Command {
                stdin: Some(&gone),
                ..command
            };
            assert!(run(&command).unwrap_err().to_string().contains(program));
            let command = Command {
                argv: &[],
                ..command
            };
            assert!(run(&command).unwrap_err().to_string().contains("empty"));
        }
    });
}

#[test]
fn runs_at_the_same_time_leave_each_other_alone() {
    /// Becomes the parent of an orphan that has left the group, and looks
    /// after it while other runs come and go.
    const SHEPHERD: &str = "(setsid sleep 600 & echo $! > pid)
        for i in $(seq 100); do kill -0 $(cat pid) || exit 9; done; echo well";
    nothing_stays(|scratch| {
        std::thread::scope(|threads| {
            for worker in 0..4 {
                threads.spawn(move || {
                    for round in 0..12 {
                        let limits = limits(PLENTY_MS);
                        let ended = match (worker + round) % 4 {
                            0 | 1 => run_in(scratch, &["bash", "-c", SHEPHERD], &limits),
                            2 => manner(scratch, &["escape"], &limits),
                            _ => manner(scratch, &["job"], &limits),
                        };
                        assert_eq!(ended.exit, Exit::Status(0), "{:?}", ended.stderr);
                        if (worker + round) % 4 < 2 {
                            assert_eq!(ended.stdout.text(), "well\n");
                        }
                    }
                });
            }
        });
        // An orphan that hides its tag stays until no run could own it.
        manner(scratch, &["exit", "0"], &limits(PLENTY_MS));
    });
}

#[test]
fn a_kept_child_lives_on_through_runs_and_dies_with_its_owner() {
    nothing_stays(|scratch| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "setsid sleep 600 & exec cat"]);
        command.stdin(std::process::Stdio::piped());
        let mut kept = LongLived::start(&mut command).expect("it starts");
        for _ in 0..5 {
            manner(scratch, &["escape"], &limits(PLENTY_MS));
        }
        let state = kept.child().try_wait().expect("its state");
        assert_eq!(state, None);
    });
}
