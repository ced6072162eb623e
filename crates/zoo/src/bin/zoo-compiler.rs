//! `zoo-compiler [-O2] [--bug NAME]... FILE.toy -o FILE`: to byte code that `zoo-run` runs.

use std::process::ExitCode;

use lydite_zoo::bugs::Line;
use lydite_zoo::toy::{Options, compile, write_code};

fn main() -> ExitCode {
    let line = match Line::read("zoo-compiler", std::env::args().skip(1)) {
        Ok(line) => line,
        Err((message, status)) => {
            print!("{message}");
            return ExitCode::from(status);
        }
    };
    let options = Options {
        fold: line.flags.iter().any(|flag| flag == "-O2"),
        line: &line,
    };
    let file = line.files.first().map_or("?", String::as_str);
    let compiled = line.input().and_then(|text| {
        let code = compile(&text, options).map_err(|error| format!("{file}:{error}"))?;
        let output = line.output.as_deref().unwrap_or("toy.out");
        std::fs::write(output, write_code(&code)).map_err(|error| format!("{output}: {error}"))
    });
    match compiled {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            let internal = message.contains("internal compiler error");
            ExitCode::from(if internal { 4 } else { 1 })
        }
    }
}
