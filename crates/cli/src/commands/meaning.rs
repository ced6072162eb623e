//! `lydite meaning`: says whether C leaves open what a program means.

use anyhow::{Context, Result};
use lydite_lab::named_file::read_file;
use lydite_syntax::{Meaning, find_open_directive, find_open_meaning};

use crate::args::MeaningArgs;
use crate::console::print;
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &MeaningArgs) -> Result<ExitCode> {
    let named = || args.program.display().to_string();
    let text = read_file(&args.program).with_context(named)?;
    let directive = match &args.source {
        Some(path) => {
            let source = read_file(path).with_context(|| path.display().to_string())?;
            find_open_directive(&source)
        }
        None => None,
    };
    let meaning = match directive {
        Some(line) => Meaning::Open(line),
        None => find_open_meaning(&text).with_context(named)?,
    };
    let said = match meaning {
        Meaning::Fixed => return Ok(ExitCode::Clean),
        Meaning::Open(part) => format!("meaning: open: `{part}`"),
        Meaning::Unclear(part) => format!("meaning: not understood: `{part}`"),
    };
    print(&said);
    Ok(ExitCode::Findings)
}
