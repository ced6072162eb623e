//! Checks models that solvers printed: `check_models SCRIPT OUTPUT …`, pairs
//! of a script and what a solver printed for it. One line per model. The name
//! of the solver may come first, as `yices:`, since they write differently.
//! `check_models --ask SCRIPT` prints the script with models asked for.
#![allow(clippy::disallowed_methods)] // An example may read files.

use lydite_core::Verdict;
use lydite_smtlib::model::{Check, Reading, Reply, ask_for_models, check, replies};
use lydite_smtlib::print;
use lydite_smtlib::syntax::parse;

fn main() {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    let solver = paths.first().and_then(|word| word.strip_suffix(':'));
    let reading = Reading::of(&solver.unwrap_or("z3").parse().expect("a target's name"));
    if solver.is_some() {
        paths.remove(0);
    }
    if let [flag, path] = &paths[..]
        && flag == "--ask"
    {
        let text = std::fs::read(path).expect("a readable script");
        match ask_for_models(&text, None) {
            Ok(text) => print!("{text}"),
            Err(error) => eprintln!("{path}: {error}"),
        }
        return;
    }
    for pair in paths.chunks_exact(2) {
        let text = std::fs::read(&pair[0]).expect("a readable script");
        let output = std::fs::read(&pair[1]).expect("a readable output");
        let output = String::from_utf8_lossy(&output);
        let script = match parse(&text) {
            Ok(script) => script,
            Err(error) => {
                println!("{}: {error}", pair[0]);
                continue;
            }
        };
        let mut asked = 0usize;
        let mut last = Verdict::Unknown;
        for reply in replies(&output) {
            match reply {
                Reply::Verdict(verdict) => {
                    asked += 1;
                    last = verdict;
                }
                // What was asked is not what was meant to be asked.
                Reply::Error(_) if asked == 0 => break,
                // A model that comes with `unknown` promises nothing.
                Reply::Model(model) if last == Verdict::Sat => {
                    let verdict = match check(&script, asked - 1, model, reading) {
                        Check::Valid => "valid".to_string(),
                        Check::Invalid(term) => format!("INVALID {}", print::term(&script, term)),
                        Check::CannotSay(why) => format!("cannot say: {why}"),
                    };
                    println!("{} {}: {verdict}", pair[0], asked - 1);
                }
                _ => {}
            }
        }
    }
}
