//! `lydite completions` and `lydite man`: made from the same definitions as the
//! help texts.

use std::fs;

use anyhow::{Context, Result};
use lydite_core::fault::Fault;

use crate::args::{CompletionsArgs, ManArgs, command};
use crate::console::{Console, print};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "lydite", &mut script);
    print(String::from_utf8(script)?.trim_end());
    Ok(ExitCode::Clean)
}

pub(crate) fn write_pages(args: &ManArgs, console: &Console) -> Result<ExitCode> {
    let folder = &args.folder;
    let written =
        fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command(), folder));
    written
        .with_context(|| folder.display().to_string())
        .context(Fault::CannotWrite)?;
    console.say(&format!(
        "pages in {} (man -l {0}/lydite.1)",
        folder.display()
    ));
    Ok(ExitCode::Clean)
}
