//! The exact commands of a finding, as a person would type them.

use super::script::quote;
use lydite_target::{Reproduction, ReproductionStep};

/// The command lines that run a target on its file, one per step. The target
/// has its usual name; where it is installed here concerns nobody else.
pub fn commands(reproduction: &Reproduction, options: &[String]) -> Vec<String> {
    let line = |step: &ReproductionStep| {
        let input = match step.stdin {
            true => format!(" < {}", quote(&reproduction.file)),
            false => String::new(),
        };
        fill_in(step, reproduction, options).join(" ") + &input
    };
    reproduction.elsewhere.iter().map(line).collect()
}

/// The words of a step for the shell, with further options.
pub(super) fn fill_in(
    step: &ReproductionStep,
    reproduction: &Reproduction,
    options: &[String],
) -> Vec<String> {
    let mut words: Vec<String> = step.argv.clone();
    if let Some(at) = step.options_at.filter(|at| *at <= words.len()) {
        words.splice(at..at, options.iter().cloned());
    }
    let filled = words.iter().map(|word| {
        let word = word.replace("{file}", &reproduction.file);
        quote(&word.replace("{out}", "./case.out"))
    });
    filled.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn commands_are_those_of_the_program_itself_with_the_options_in_place() {
        let step = |argv: &[&str], stdin, options_at| ReproductionStep {
            argv: argv.iter().map(ToString::to_string).collect(),
            stdin,
            options_at,
        };
        let reproduction = Reproduction {
            file: "case.smt2".to_string(),
            steps: vec![step(&["/cache/z3", "{file}"], false, Some(1))],
            env: BTreeMap::new(),
            binary: "/cache/z3".to_string(),
            command: "z3".to_string(),
            elsewhere: vec![
                step(&["z3", "a=b", "-o", "{out}", "{file}"], false, Some(2)),
                step(&["{out}"], true, None),
            ],
            elsewhere_env: BTreeMap::new(),
        };
        let lines = commands(&reproduction, &["c d".to_string()]);
        assert_eq!(
            lines,
            [
                "z3 a=b 'c d' -o ./case.out case.smt2",
                "./case.out < case.smt2"
            ]
        );
    }
}
