//! `zoo-interpreter [--bug NAME]... FILE.toy`: runs a program of the toy language.

use std::io::{self, Write};
use std::process::ExitCode;

use lydite_zoo::bugs::Line;
use lydite_zoo::toy::{Machine, Options, compile};

fn main() -> ExitCode {
    let line = match Line::read("zoo-interpreter", std::env::args().skip(1)) {
        Ok(line) => line,
        Err((message, status)) => {
            print!("{message}");
            return ExitCode::from(status);
        }
    };
    let options = Options {
        fold: false,
        line: &line,
    };
    let code = match line.input().and_then(|text| compile(&text, options)) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("zoo-interpreter: {message}");
            return ExitCode::from(2);
        }
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let ran = Machine::new(&line).run(&code, &mut out);
    match ran.and_then(|ran| out.flush().map(|()| ran)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(message)) => {
            eprintln!("zoo-interpreter: {message}");
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("zoo-interpreter: {error}");
            ExitCode::from(3)
        }
    }
}
