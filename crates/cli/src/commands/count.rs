//! `lydite count`: the exact size of a countable space.

use anyhow::{Result, bail};
use lydite_core::{BigUint, Part};
use serde_json::json;

use super::generate::open_space;
use crate::args::CountArgs;
use crate::console::{Console, print, print_table};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &CountArgs, console: &Console) -> Result<ExitCode> {
    let opened = open_space(&args.space, console)?;
    let Some(len) = opened.space.len() else {
        bail!(
            "strategy {}: its space cannot be counted",
            args.space.strategy
        );
    };
    let parts = opened.space.parts();
    let count = match opened.space.is_infinite() {
        true => "infinite".to_string(),
        false => len.to_string(),
    };
    let unique: Option<BigUint> = match opened.space.is_infinite() || parts.is_empty() {
        true => None,
        false => parts.iter().map(|part| part.unique.clone()).sum(),
    };
    if args.json {
        let shown = parts.iter().map(|part| {
            json!({
                "name": part.name,
                "cases": part.cases.to_string(),
                "unique": part.unique.as_ref().map(BigUint::to_string),
            })
        });
        let object = json!({
            "strategy": args.space.strategy,
            "count": count,
            "unique": unique.as_ref().map(BigUint::to_string),
            "parts": shown.collect::<Vec<_>>(),
        });
        print(&object.to_string());
        return Ok(ExitCode::Clean);
    }
    print(&count);
    if let Some(unique) = unique {
        print(&format!(
            "{unique} unique: {} removed",
            removed(&len, &unique)
        ));
    }
    if opened.space.is_infinite() || parts.len() > 1 {
        let rows: Vec<Vec<String>> = parts.iter().map(row).collect();
        let header = ["part", "cases", "unique", "removed"];
        let columns = if rows.iter().any(|row| row.len() > 2) {
            4
        } else {
            2
        };
        print_table(&header[..columns], &rows);
    }
    Ok(ExitCode::Clean)
}

fn row(part: &Part) -> Vec<String> {
    let mut row = vec![part.name.clone(), part.cases.to_string()];
    if let Some(unique) = &part.unique {
        row.push(unique.to_string());
        row.push(removed(&part.cases, unique));
    }
    row
}

/// The share that is the same as something else, in per cent.
fn removed(all: &BigUint, unique: &BigUint) -> String {
    if *all == BigUint::ZERO {
        return "0.0 %".to_string();
    }
    let tenths = (all - unique) * BigUint::from(1000u16) / all;
    let tenths = u64::try_from(tenths).unwrap_or(1000);
    format!("{}.{} %", tenths / 10, tenths % 10)
}
