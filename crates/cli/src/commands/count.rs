//! `lydite count`: the exact size of a countable space.

use anyhow::{Result, bail};
use lydite_core::{BigUint, Part};
use serde_json::{Value, json};

use super::generate::open_space;
use crate::args::CountArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &CountArgs, console: &Console) -> Result<ExitCode> {
    let mut space = args.space.clone();
    space.seeds.extend(args.paths.iter().cloned());
    let opened = open_space(&space, console)?;
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
        let shown = parts.iter().map(shown_part);
        let object = json!({
            "strategy": args.space.strategy,
            "count": count,
            "unique": unique.as_ref().map(BigUint::to_string),
            "parts": shown.collect::<Vec<_>>(),
        });
        print_json(&object.to_string());
        return Ok(ExitCode::Clean);
    }
    print(&count);
    if let Some(unique) = unique {
        print(&format!(
            "{unique} unique: {} removed",
            removed(&len, &unique)
        ));
    }
    let columns = parts.first().is_some_and(|part| !part.columns.is_empty());
    if opened.space.is_infinite() || parts.len() > 1 || columns {
        print_parts(&parts, opened.space.is_infinite());
    }
    Ok(ExitCode::Clean)
}

fn shown_part(part: &Part) -> Value {
    let mut shown = json!({
        "name": part.name,
        "cases": part.cases.to_string(),
        "unique": part.unique.as_ref().map(BigUint::to_string),
    });
    for (name, value) in &part.columns {
        shown[*name] = json!(value.to_string());
    }
    shown
}

/// Parts of an infinite space are examples: their sum would say nothing.
fn print_parts(parts: &[Part], is_infinite: bool) {
    let mut header = vec!["part", "cases"];
    if parts.iter().any(|part| part.unique.is_some()) {
        header.extend(["unique", "removed"]);
    }
    let columns = parts.first().map_or(&[][..], |part| &part.columns);
    header.extend(columns.iter().map(|(name, _)| *name));
    let mut rows: Vec<Vec<String>> = parts.iter().map(row).collect();
    if !columns.is_empty() && parts.len() > 1 && !is_infinite {
        rows.extend(sums(parts));
    }
    print_table(&header, &rows);
}

fn row(part: &Part) -> Vec<String> {
    let mut row = vec![part.name.clone(), part.cases.to_string()];
    if let Some(unique) = &part.unique {
        row.push(unique.to_string());
        row.push(removed(&part.cases, unique));
    }
    row.extend(part.columns.iter().map(|(_, value)| short(value)));
    row
}

/// Two rows of the table: all parts together, and their mean.
fn sums(parts: &[Part]) -> [Vec<String>; 2] {
    let mut total = vec!["all".to_string()];
    let mut mean = vec!["mean".to_string()];
    let cases = parts.iter().map(|part| &part.cases).sum();
    let column = |number: usize| {
        parts
            .iter()
            .filter_map(move |part| part.columns.get(number))
    };
    let sums =
        (0..parts[0].columns.len()).map(|number| column(number).map(|(_, value)| value).sum());
    for sum in std::iter::once(cases).chain(sums) {
        let hundredths: BigUint = &sum * BigUint::from(100u8) / BigUint::from(parts.len());
        let (whole, rest) = (
            &hundredths / BigUint::from(100u8),
            &hundredths % BigUint::from(100u8),
        );
        mean.push(match whole.to_string().len() {
            0..=9 => format!("{whole}.{:02}", u64::try_from(rest).unwrap_or(0)),
            _ => short(&whole),
        });
        total.push(short(&sum));
    }
    [total, mean]
}

/// Large numbers as 1.48e79.
fn short(value: &BigUint) -> String {
    let digits = value.to_string();
    match digits.len() {
        0..=12 => digits,
        len => format!("{}.{}e{}", &digits[..1], &digits[1..3], len - 1),
    }
}

/// The share of cases that equal another one, in per cent.
fn removed(all: &BigUint, unique: &BigUint) -> String {
    if *all == BigUint::ZERO {
        return "0.0 %".to_string();
    }
    let tenths = (all - unique) * BigUint::from(1000u16) / all;
    let tenths = u64::try_from(tenths).unwrap_or(1000);
    format!("{}.{} %", tenths / 10, tenths % 10)
}
