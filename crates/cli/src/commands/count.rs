//! `lydite count`: the exact size of a countable space.

use anyhow::{Result, bail};
use serde_json::json;

use super::generate::open_space;
use crate::args::CountArgs;
use crate::console::print;
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &CountArgs) -> Result<ExitCode> {
    let opened = open_space(&args.space)?;
    let Some(len) = opened.space.len() else {
        bail!(
            "strategy {}: its space cannot be counted",
            args.space.strategy
        );
    };
    if args.json {
        print(&json!({ "strategy": args.space.strategy, "count": len.to_string() }).to_string());
    } else {
        print(&len.to_string());
    }
    Ok(ExitCode::Clean)
}
