//! Runs as literals, for the tests of reading.

use std::sync::LazyLock;
use std::time::Duration;

use lydite_core::{Capture, Exit, Outcome};
use lydite_process::Ended;
use lydite_target::{AnswerKind, Catalogue, Frame, read_outcome};

const MB: u64 = 1 << 20;

pub(crate) fn ended(exit: Exit, stdout: &str, stderr: &str) -> Ended {
    Ended {
        exit,
        cut: None,
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        peak_kb: 10_000,
        stdout: Capture::whole(stdout),
        stderr: Capture::whole(stderr),
    }
}

pub(crate) fn outcome(family: &str, frame: &Frame, ended: &Ended) -> Outcome {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::load(&[]).unwrap());
    let catalogue = &CATALOGUE;
    let reading = catalogue.reading(&family.parse().unwrap()).unwrap();
    read_outcome(reading, ended, frame)
}

pub(crate) fn frame(kind: AnswerKind) -> Frame {
    Frame {
        kind,
        program: false,
        memory_bytes: Some(1024 * MB),
    }
}

/// Family, exit (negative: signal), standard output, standard error, outcome.
type Row = (&'static str, i32, &'static str, &'static str, &'static str);

pub(crate) fn check(kind: AnswerKind, rows: &[Row]) {
    for (family, exit, stdout, stderr, expected) in rows {
        let exit = match *exit {
            status @ 0.. => Exit::Status(status),
            signal => Exit::Signal(-signal),
        };
        let seen = outcome(family, &frame(kind), &ended(exit, stdout, stderr)).to_string();
        assert_eq!(seen, *expected, "{family}: {stdout}{stderr}");
    }
}
