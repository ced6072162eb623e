//! What uses more than it may.

use std::ffi::OsString;
use std::fs;
use std::time::{Duration, Instant};

use lydite_core::Exit;
use lydite_process::{Command, Cut, Limits, Memory, run};

use super::{PLENTY_MS, limits, manner, nothing_stays, run_in, zoo};

#[test]
fn what_does_not_end_is_ended_with_all_its_children() {
    nothing_stays(|scratch| {
        for words in [
            ["hang", ""],
            ["stop", ""],
            ["spin", "forever"],
            ["flood-forever", ""],
            ["trickle", "100000"],
            ["forks", "60"],
        ] {
            let started = Instant::now();
            let ended = manner(scratch, &words, &limits(300));
            assert_eq!(
                (ended.exit, ended.cut),
                (Exit::Signal(9), Some(Cut::WallTime)),
                "{words:?}"
            );
            assert!(ended.wall >= Duration::from_millis(300), "{words:?}");
            assert!(started.elapsed() < Duration::from_secs(10), "{words:?}");
        }
    });
}

#[test]
fn cpu_time_is_limited_even_for_those_who_ignore_the_signal() {
    nothing_stays(|scratch| {
        let limits = Limits {
            cpu: Duration::from_millis(400),
            ..limits(PLENTY_MS)
        };
        let ended = manner(scratch, &["spin", "forever"], &limits);
        assert_eq!(
            (ended.exit, ended.cut),
            (Exit::Signal(24), Some(Cut::CpuTime))
        );
        assert!(ended.cpu >= Duration::from_millis(500), "{:?}", ended.cpu);
        let ended = manner(scratch, &["ignore-cpu"], &limits);
        assert_eq!(
            (ended.exit, ended.cut),
            (Exit::Signal(9), Some(Cut::CpuTime))
        );
    });
}

#[test]
fn time_that_is_used_can_be_limited_apart_from_time_that_passes() {
    nothing_stays(|scratch| {
        let limits = Limits {
            busy: Some(Duration::from_millis(120)),
            ..limits(PLENTY_MS)
        };
        let ended = manner(scratch, &["spin", "forever"], &limits);
        assert_eq!(
            (ended.exit, ended.cut),
            (Exit::Signal(9), Some(Cut::CpuTime))
        );
        assert!(ended.cpu >= Duration::from_millis(100), "{:?}", ended.cpu);
        // Children count too.
        let words = ["sh", "-c", "while :; do :; done & wait"];
        let ended = run_in(scratch, &words, &limits);
        assert_eq!(ended.cut, Some(Cut::CpuTime));
        // Whoever only waits does not get all of the wall time.
        let started = Instant::now();
        let ended = run_in(scratch, &["sleep", "60"], &limits);
        assert_eq!(ended.cut, Some(Cut::CpuTime));
        assert!(started.elapsed() < Duration::from_secs(30));
        let ended = manner(scratch, &["spin", "20ms"], &limits);
        assert_eq!((ended.exit, ended.cut), (Exit::Status(0), None));
    });
}

#[test]
fn memory_is_limited_in_both_ways() {
    const LIMIT: u64 = 200 << 20;
    nothing_stays(|scratch| {
        let address_space = Limits {
            memory: Memory::AddressSpace(LIMIT),
            ..limits(PLENTY_MS)
        };
        let ended = manner(scratch, &["eat"], &address_space);
        assert_eq!((ended.exit, ended.cut), (Exit::Signal(6), None));
        assert!(ended.stderr.text().contains("memory allocation"));
        assert!(ended.peak_kb < LIMIT / 1024);
        let resident = Limits {
            memory: Memory::Resident(LIMIT),
            ..limits(PLENTY_MS)
        };
        for words in [["eat", ""], ["eat-children", "4"]] {
            let ended = manner(scratch, &words, &resident);
            assert_eq!(
                (ended.exit, ended.cut),
                (Exit::Signal(9), Some(Cut::Memory)),
                "{words:?}"
            );
        }
        let ended = manner(scratch, &["exit", "3"], &resident);
        assert_eq!((ended.exit, ended.cut), (Exit::Status(3), None));
    });
}

#[test]
fn a_file_without_end_is_cut() {
    nothing_stays(|scratch| {
        let limits = Limits {
            file_bytes: 3 << 20,
            ..limits(PLENTY_MS)
        };
        let ended = manner(scratch, &["fill-disk"], &limits);
        assert_eq!(
            (ended.exit, ended.cut),
            (Exit::Signal(25), Some(Cut::FileSize))
        );
    });
}

#[test]
fn the_planted_bugs_that_never_end_meet_their_limits() {
    let small = Limits {
        memory: Memory::AddressSpace(200 << 20),
        ..limits(PLENTY_MS)
    };
    let cases = [
        (
            ["zoo-solver", "hang-push"],
            "(push 2) (check-sat)",
            limits(300),
            (Exit::Signal(9), Some(Cut::WallTime)),
        ),
        (
            ["zoo-compiler", "hang-else"],
            "if 1 { } else { }",
            limits(300),
            (Exit::Signal(9), Some(Cut::WallTime)),
        ),
        (
            ["zoo-solver", "eat-and"],
            "(assert (and true true true true true true true true)) (check-sat)",
            small,
            (Exit::Signal(6), None),
        ),
    ];
    nothing_stays(|scratch| {
        for ([program, bug], input, limits, end) in cases {
            let folder = scratch.folder().expect("a folder");
            fs::write(folder.path().join("input"), input).expect("input");
            for (bugs, end) in [(vec!["--bug", bug], end), (vec![], (Exit::Status(0), None))] {
                let mut argv = vec![zoo::program(program).into_os_string()];
                argv.extend(bugs.iter().map(OsString::from));
                argv.push("input".into());
                let command = Command {
                    argv: &argv,
                    dir: folder.path(),
                    stdin: None,
                    env: &[],
                    limits: &Limits {
                        wall: if bugs.is_empty() {
                            Duration::from_millis(PLENTY_MS)
                        } else {
                            limits.wall
                        },
                        ..limits.clone()
                    },
                };
                let ended = run(&command).expect("it starts");
                assert_eq!((ended.exit, ended.cut), end, "{program} {bugs:?}");
            }
        }
    });
}
