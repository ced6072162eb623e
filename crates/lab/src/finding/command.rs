//! The exact commands of a finding, as a person would type them.

use super::script::quoted;
use crate::target::Reproduction;

/// The command lines that run a target on its file, one per step. The target
/// has its usual name; where it is installed here concerns nobody else.
pub fn commands(reproduction: &Reproduction, options: &[String]) -> Vec<String> {
    let line = |step: &crate::target::ReproductionStep| {
        let mut words: Vec<String> = step.argv.clone();
        if let Some(at) = step.options_at.filter(|at| *at <= words.len()) {
            words.splice(at..at, options.iter().cloned());
        }
        let binary = words.iter().position(|word| *word == reproduction.binary);
        if let Some(at) = binary {
            words.splice(..=at, [reproduction.command.clone()]);
        }
        let words: Vec<String> = words
            .iter()
            .map(|word| word.replace("{file}", &reproduction.file))
            .map(|word| quoted(&word.replace("{out}", "./case.out")))
            .collect();
        let input = match step.stdin {
            true => format!(" < {}", quoted(&reproduction.file)),
            false => String::new(),
        };
        words.join(" ") + &input
    };
    reproduction.steps.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::target::ReproductionStep;

    #[test]
    fn commands_name_the_target_and_not_where_it_lies() {
        let step = |argv: &[&str], stdin, options_at| ReproductionStep {
            argv: argv.iter().map(ToString::to_string).collect(),
            stdin,
            options_at,
        };
        for (steps, options, expected) in [
            (
                vec![step(&["/cache/z3", "a=b", "{file}"], false, Some(2))],
                vec!["c d"],
                "z3 a=b 'c d' case.smt2",
            ),
            (
                vec![step(
                    &["/python", "-B", "/cache/z3", "{file}"],
                    false,
                    Some(3),
                )],
                vec!["x"],
                "z3 x case.smt2",
            ),
            (
                vec![
                    step(&["/cache/z3", "-o", "{out}", "{file}"], false, None),
                    step(&["{out}"], true, None),
                ],
                vec![],
                "z3 -o ./case.out case.smt2 && ./case.out < case.smt2",
            ),
        ] {
            let reproduction = Reproduction {
                file: "case.smt2".to_string(),
                steps,
                env: BTreeMap::new(),
                binary: "/cache/z3".to_string(),
                command: "z3".to_string(),
            };
            let options: Vec<String> = options.iter().map(ToString::to_string).collect();
            assert_eq!(commands(&reproduction, &options).join(" && "), expected);
        }
    }
}
