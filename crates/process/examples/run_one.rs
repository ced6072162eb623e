//! `run_one WALL_MS PROGRAM ARGUMENT...`: runs one command by the rules of
//! `lydite_process` and prints how it ended.

use std::ffi::OsString;
use std::time::Duration;

use anyhow::Context;
use lydite_process::{Command, Limits, Scratch, run};

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(1);
    let wall = args.next().unwrap_or_default();
    let wall = wall.to_string_lossy();
    let limits = Limits {
        wall: Duration::from_millis(wall.parse().context("WALL_MS is no number")?),
        ..Limits::default()
    };
    let argv: Vec<OsString> = args.collect();
    let scratch = Scratch::new()?;
    let folder = scratch.folder()?;
    println!("{}", scratch.root().display());
    let ended = run(&Command {
        argv: &argv,
        dir: folder.path(),
        stdin: None,
        env: &[],
        limits: &limits,
    })?;
    println!("{ended:#?}");
    Ok(())
}
