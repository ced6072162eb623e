//! Seeds for the zoo's solver: random scripts over Bool, the same each time.

use std::fmt::Write;

use lydite_core::{Choices, Reject};

use super::Folder;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Writes `count` scripts into the folder `seeds`.
pub(crate) fn write_formulas(folder: &Folder, count: u64) {
    for index in 0..count {
        let script = script(&mut Choices::seeded(7, index)).expect("enough choices");
        folder.write(&format!("seeds/{index:05}.smt2"), script);
    }
}

fn script(choices: &mut Choices) -> Result<String, Reject> {
    let mut text = String::from("(set-logic QF_UF)\n");
    for name in NAMES {
        let _ = writeln!(text, "(declare-const {name} Bool)");
    }
    for _ in 0..choices.between(1, 4)? {
        let depth = choices.between(1, 4)?;
        let _ = writeln!(text, "(assert {})", term(choices, depth)?);
    }
    text.push_str("(check-sat)\n");
    Ok(text)
}

/// Deep terms are rare and every operator of the zoo's table occurs.
fn term(choices: &mut Choices, depth: u64) -> Result<String, Reject> {
    if depth == 0 || choices.chance(1, 7)? {
        return Ok(match choices.chance(1, 12)? {
            true => choices.pick(&["true", "false"])?.to_string(),
            false => choices.pick(&NAMES)?.to_string(),
        });
    }
    let operator = *choices.pick(&[
        "not", "xor", "and", "or", "=>", "ite", "=", "distinct", "let",
    ])?;
    let arity = match operator {
        "not" => 1,
        "ite" => 3,
        "let" => 2,
        _ => 2 + u64::from(choices.chance(1, 5)?),
    };
    let terms: Vec<String> = (0..arity)
        .map(|_| term(choices, depth - 1))
        .collect::<Result<_, _>>()?;
    Ok(match operator {
        "let" => {
            let name = choices.pick(&["u", "v", "a"])?;
            format!("(let (({name} {})) (and {name} {}))", terms[0], terms[1])
        }
        _ => format!("({operator} {})", terms.join(" ")),
    })
}
