//! `zoo-solver [--bug NAME]... FILE`: a small SMT solver for Bool.

use std::io::{self, Write};
use std::process::ExitCode;

use lydite_zoo::bugs::Line;
use lydite_zoo::solver;

fn main() -> ExitCode {
    let line = match Line::read("zoo-solver", std::env::args().skip(1)) {
        Ok(line) => line,
        Err((message, status)) => {
            print!("{message}");
            return ExitCode::from(status);
        }
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = line
        .input()
        .map_err(io::Error::other)
        .and_then(|text| solver::run(&line, &text, &mut out))
        .and_then(|status| out.flush().map(|()| status));
    match done {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("zoo-solver: {error}");
            ExitCode::from(2)
        }
    }
}
