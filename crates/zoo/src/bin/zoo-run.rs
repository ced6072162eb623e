//! `zoo-run FILE`: runs what `zoo-compiler` has made.

use std::io::{self, Write};
use std::process::ExitCode;

use lydite_zoo::bugs::Line;
use lydite_zoo::toy::{Machine, read_code};

fn main() -> ExitCode {
    let line = match Line::read("zoo-run", std::env::args().skip(1)) {
        Ok(line) => line,
        Err((message, status)) => {
            print!("{message}");
            return ExitCode::from(status);
        }
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let ran = line
        .input()
        .and_then(|text| read_code(&text))
        .and_then(|code| {
            let ran = Machine::new(&line).run(&code, &mut out);
            let flushed = ran.and_then(|ran| out.flush().map(|()| ran));
            flushed
                .map_err(|error| error.to_string())?
                .map_err(String::from)
        });
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("zoo-run: {message}");
            ExitCode::from(1)
        }
    }
}
