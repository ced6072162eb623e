//! The planted bugs, and the command line that switches them on.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// One planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bug {
    /// The processor that has it.
    pub program: &'static str,
    /// What `--bug` takes.
    pub name: &'static str,
    /// What an oracle should call it; `-` where it should say nothing.
    pub kind: &'static str,
    /// The inputs that show it.
    pub trigger: &'static str,
    /// What happens then.
    pub effect: &'static str,
}

const fn bug(
    program: &'static str,
    name: &'static str,
    kind: &'static str,
    trigger: &'static str,
    effect: &'static str,
) -> Bug {
    Bug {
        program,
        name,
        kind,
        trigger,
        effect,
    }
}

/// All planted bugs.
#[rustfmt::skip]
pub const BUGS: &[Bug] = &[
    bug("zoo-solver", "not-xor", "refutation-unsound", "an xor directly under a not, formula sat", "says unsat"),
    bug("zoo-solver", "ite-ite", "solution-unsound", "an ite whose condition is an ite, formula unsat", "says sat"),
    bug("zoo-solver", "assert-distinct", "crash", "a distinct of three or more", "assertion text, SIGABRT"),
    bug("zoo-solver", "segv-shadow", "crash", "a let that binds a declared name", "SIGSEGV, no message"),
    bug("zoo-solver", "two-sites", "crash", "an implication of three or more", "one assertion under a push, another without"),
    bug("zoo-solver", "hang-push", "hang", "a check-sat under two or more pushes", "never ends"),
    bug("zoo-solver", "hang-seed", "-", "the same, without --seed", "never ends"),
    bug("zoo-solver", "slow-xor", "slow-regression", "an xor of three or more", "busy for --slow-ms (2000)"),
    bug("zoo-solver", "bad-model", "invalid-model", "an or directly under an and, formula sat", "refutes its own model"),
    bug("zoo-solver", "short-core", "refutation-unsound", "a request for the unsat core of two or more named assertions", "leaves the first name out"),
    bug("zoo-solver", "only-true", "refutation-unsound", "the first three constants true in every model", "says unsat"),
    bug("zoo-solver", "no-assumptions", "disagreement", "a check-sat-assuming", "assumes nothing"),
    bug("zoo-solver", "last-compared", "disagreement", "a forall asserted, and an = or a distinct as the third or a later assertion and the last, formula sat", "says unsat"),
    bug("zoo-solver", "defined-ite", "crash", "an ite of two ites, each of a defined name", "assertion text, SIGABRT"),
    bug("zoo-solver", "short-assumptions", "refutation-unsound", "a request for the unsat assumptions", "leaves the first out"),
    bug("zoo-solver", "greedy-soft", "wrong-optimum", "three or more soft assertions", "takes the first model for the cheapest"),
    bug("zoo-solver", "bad-proof", "crash", "--check-proofs, formula with => unsat", "assertion text, SIGABRT"),
    bug("zoo-solver", "fat-core", "wrong-output", "--minimal-cores, a request for the unsat core", "names all that have a name"),
    bug("zoo-solver", "quantified-model", "invalid-model", "a quantifier, formula sat", "prints the first constant the other way"),
    bug("zoo-solver", "open-false", "refutation-unsound", "a selector of another constructor true in every model", "says unsat"),
    bug("zoo-solver", "left-out", "invalid-model", "a request for values, formula sat", "leaves the first constant out of models and denies it"),
    bug("zoo-solver", "no-ite", "-", "an ite", "answers unsupported"),
    bug("zoo-solver", "eat-and", "-", "an and of eight or more", "allocates without end"),
    bug("zoo-solver", "flaky-eq", "-", "an = of two negations", "the answer depends on chance"),
    bug("zoo-solver", "lose-answer", "-", "three or more check-sats", "the third and later answers are not printed"),
    bug("zoo-solver", "reject-xor-true", "rejects-valid", "a true or false directly under an xor", "syntax error"),
    bug("zoo-compiler", "ice-while", "crash", "a while directly inside a while", "internal compiler error"),
    bug("zoo-compiler", "segv-name", "crash", "a name longer than 20 letters", "SIGSEGV, no message"),
    bug("zoo-compiler", "fold-rem", "wrong-output", "% of constants, one negative, at -O2", "folded to the non-negative remainder"),
    bug("zoo-compiler", "reject-minus", "rejects-valid", "a minus before a parenthesis", "syntax error"),
    bug("zoo-compiler", "accept-undeclared", "accepts-invalid", "a variable used but not declared", "accepted as 0"),
    bug("zoo-compiler", "hang-else", "hang", "an else without statements", "the compiler never ends"),
    bug("zoo-interpreter", "less-equal", "wrong-output", "<= of equal numbers", "false"),
    bug("zoo-interpreter", "print-negative", "crash", "a negative number printed", "assertion text, SIGABRT"),
];

/// What was typed:
/// `PROGRAM [--bug NAME]... [--plant OUTER/INNER=EFFECT]... [--key VALUE] [-FLAG] FILE...`.
#[derive(Debug, Default)]
pub struct Line {
    bugs: Vec<String>,
    /// `--plant`: an operator directly under another, and what it does.
    pub plants: Vec<Plant>,
    /// The flags of one dash.
    pub flags: Vec<String>,
    /// `--slow-ms`
    pub slow_ms: u64,
    /// `-o`
    pub output: Option<String>,
    /// What is left.
    pub files: Vec<String>,
}

/// A bug of the user's own making, for whole series of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plant {
    /// The operator above.
    pub outer: String,
    /// The operator below.
    pub inner: String,
    /// `crash:SITE[:SITE]` (the second with an even number of assertions),
    /// `segv`, `sat`, `unsat` or `invalid`.
    pub effect: String,
}

impl Plant {
    fn read(text: &str) -> Option<Plant> {
        // `=` is an operator too.
        let (shape, effect) = text.rsplit_once('=')?;
        let (outer, inner) = shape.split_once('/')?;
        let [outer, inner, effect] = [outer, inner, effect].map(str::to_string);
        Some(Plant {
            outer,
            inner,
            effect,
        })
    }
}

impl Line {
    /// Reads the command line of `program`; `Err` holds what to print before
    /// ending, and the exit status.
    pub fn read(program: &str, args: impl Iterator<Item = String>) -> Result<Line, (String, u8)> {
        let mut line = Line {
            slow_ms: 2000,
            ..Line::default()
        };
        let mut args = args;
        while let Some(arg) = args.next() {
            let mut value = || {
                let message = format!("{program}: {arg} wants a value\n");
                args.next().ok_or((message, 2))
            };
            match arg.as_str() {
                "--version" => {
                    return Err((format!("{program} {}\n", env!("CARGO_PKG_VERSION")), 0));
                }
                "--list-bugs" => return Err((list(program), 0)),
                "--bug" => {
                    let name = value()?;
                    if !of_program(program).any(|bug| bug.name == name) {
                        return Err((format!("{program}: no bug {name} (--list-bugs)\n"), 2));
                    }
                    line.bugs.push(name);
                }
                "--plant" => {
                    let text = value()?;
                    let plant = Plant::read(&text);
                    let plant = plant.ok_or((format!("{program}: no plant {text}\n"), 2))?;
                    line.plants.push(plant);
                }
                "--slow-ms" => {
                    let text = value()?;
                    line.slow_ms = text
                        .parse()
                        .map_err(|_| (format!("{program}: {text} is no number\n"), 2))?;
                }
                "-o" => line.output = Some(value()?),
                "-" => line.files.push(arg),
                flag if flag.starts_with('-') => line.flags.push(arg),
                _ => line.files.push(arg),
            }
        }
        Ok(line)
    }

    /// True if the bug is switched on.
    pub fn has(&self, name: &str) -> bool {
        self.bugs.iter().any(|bug| bug == name)
    }

    /// A line with these bugs on, for tests.
    pub fn with_bugs(bugs: &[&str]) -> Line {
        Line {
            bugs: bugs.iter().map(ToString::to_string).collect(),
            ..Line::default()
        }
    }

    /// Reads the one input file, or standard input for `-`.
    pub fn input(&self) -> Result<String, String> {
        const LIMIT: u64 = 64 << 20;
        let [file] = self.files.as_slice() else {
            return Err("expected one input file".to_string());
        };
        let source: Box<dyn Read> = if file == "-" {
            Box::new(std::io::stdin())
        } else {
            Box::new(std::fs::File::open(file).map_err(|error| format!("{file}: {error}"))?)
        };
        let mut bytes = Vec::new();
        source
            .take(LIMIT + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| format!("{file}: {error}"))?;
        if bytes.len() as u64 > LIMIT {
            return Err(format!("{file}: larger than {LIMIT} bytes"));
        }
        String::from_utf8(bytes).map_err(|_| format!("{file}: not UTF-8"))
    }
}

/// The bugs of one program.
pub fn of_program(program: &str) -> impl Iterator<Item = &'static Bug> {
    BUGS.iter().filter(move |bug| bug.program == program)
}

fn list(program: &str) -> String {
    let lines = of_program(program).map(|bug| {
        format!(
            "{}\t{}\t{}\t{}\n",
            bug.name, bug.kind, bug.trigger, bug.effect
        )
    });
    lines.collect()
}

/// Dies by a signal, as `kill` names it (`SEGV`, `9`). Becomes a shell first:
/// Rust's own handler would let one SEGV pass.
pub fn die(signal: &str) -> ! {
    let error = Command::new("/bin/sh")
        .args(["-c", &format!("kill -{signal} $$")])
        .exec();
    eprintln!("/bin/sh: {error}");
    std::process::exit(2)
}

/// Prints a message and dies as a failed assertion does.
pub fn fail_assertion(message: &str) -> ! {
    eprintln!("{message}");
    std::process::abort()
}

/// Never returns and uses no time.
pub fn hang() -> ! {
    loop {
        std::thread::park();
    }
}

/// Is busy for this long by the clock, to the microsecond.
pub fn spin(time: std::time::Duration) {
    let start = std::time::Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// Uses this much CPU time, however busy the machine is; the kernel counts it
/// in steps of some milliseconds.
pub fn burn(time: std::time::Duration) {
    let start = cpu_nanos();
    while u128::from(cpu_nanos() - start) < time.as_nanos() {
        for _ in 0..1000 {
            std::hint::spin_loop();
        }
    }
}

/// CPU time of this thread, as the scheduler counts it.
fn cpu_nanos() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|word| word.parse().ok());
    nanos.expect("the kernel counts CPU time")
}

/// Allocates and touches memory until something stops it.
pub fn eat_memory() -> ! {
    let mut eaten = Vec::new();
    loop {
        eaten.push(std::hint::black_box(vec![1u8; 4 << 20]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bug_names_are_unique_within_a_program_and_listed() {
        for bug in BUGS {
            let same = of_program(bug.program).filter(|other| other.name == bug.name);
            assert_eq!(same.count(), 1, "{}", bug.name);
            assert!(list(bug.program).contains(&format!("{}\t{}\t", bug.name, bug.kind)));
        }
    }

    #[test]
    fn an_unknown_bug_is_refused() {
        let args = ["--bug", "nonsense"].map(String::from);
        let (message, status) = Line::read("zoo-solver", args.into_iter()).unwrap_err();
        assert_eq!((message.contains("nonsense"), status), (true, 2));
    }
}
