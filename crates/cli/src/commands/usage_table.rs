//! `lydite spec check --stats`: what the programs of a spec consist of.

use lydite_grammar::spec::{AlternativeUsage, ProductionUsage, Usage};
use serde_json::{Value, json};

use crate::console::print;
use crate::table::print_table;

/// Longer alternatives are cut.
const SHOWN_CHARACTERS: usize = 40;

/// Prints all productions and alternatives, then what never came.
pub(super) fn print_usage(usage: &Usage) {
    let row = |production: &ProductionUsage| {
        let taken_back = production.chosen.saturating_sub(production.used);
        vec![
            format!("{}.{}", production.class, production.name),
            production.used.to_string(),
            percent(production.programs, usage.programs),
            format!("{:.1}", production.mean_depth()),
            production.deepest.to_string(),
            percent(taken_back, production.chosen),
        ]
    };
    print_table(
        &[
            "production", "used", "programs", "depth", "deepest", "taken back",
        ],
        &usage.productions.iter().map(row).collect::<Vec<_>>(),
    );
    let rows = usage.alternatives.iter().map(|alternative| {
        let of_class = usage.alternatives.iter();
        let all: u64 = of_class
            .filter(|other| other.class == alternative.class)
            .map(|other| other.used)
            .sum();
        vec![
            alternative.class.clone(),
            written(alternative),
            alternative.used.to_string(),
            percent(alternative.used, all),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    if !rows.is_empty() {
        print_table(&["class", "alternative", "used", "of its class"], &rows);
    }
    let never = never(usage);
    if !never.is_empty() {
        print(&format!(
            "never came in {} programs: {}",
            usage.programs,
            never.join(", ")
        ));
    }
}

/// What no program has.
fn never(usage: &Usage) -> Vec<String> {
    let productions = usage.productions.iter().filter(|p| p.used == 0);
    let productions = productions.map(|p| format!("{}.{}", p.class, p.name));
    let alternatives = usage.alternatives.iter().filter(|a| a.used == 0);
    let alternatives = alternatives.map(|a| format!("{} {}", a.class, shown(&a.text)));
    productions.chain(alternatives).collect()
}

/// The same for programs.
pub(super) fn json(usage: &Usage) -> Value {
    let productions = usage.productions.iter().map(|production| {
        json!({
            "class": production.class,
            "production": production.name,
            "chosen": production.chosen,
            "used": production.used,
            "programs": production.programs,
            "mean_depth": production.mean_depth(),
            "deepest": production.deepest,
        })
    });
    let alternatives = usage.alternatives.iter().map(|alternative| {
        json!({
            "class": alternative.class,
            "alternative": alternative.text,
            "written": alternative.written,
            "used": alternative.used,
        })
    });
    json!({
        "programs": usage.programs,
        "productions": productions.collect::<Vec<_>>(),
        "alternatives": alternatives.collect::<Vec<_>>(),
        "never": never(usage),
    })
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.0} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// An alternative, and how often it stands in its class.
fn written(alternative: &AlternativeUsage) -> String {
    match alternative.written {
        1 => shown(&alternative.text),
        times => format!("{} {times} times", shown(&alternative.text)),
    }
}

/// A text in one line, as it would be written.
fn shown(text: &str) -> String {
    let escaped = text.escape_debug().to_string();
    match escaped.chars().count() > SHOWN_CHARACTERS {
        true => format!(
            "`{}…`",
            escaped.chars().take(SHOWN_CHARACTERS).collect::<String>()
        ),
        false => format!("`{escaped}`"),
    }
}
