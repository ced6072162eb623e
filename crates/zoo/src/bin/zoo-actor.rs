//! `zoo-actor PART FILE`: plays a processor of any language that always does
//! the same, so that every judge has something to see.
//!
//! | part | |
//! |---|---|
//! | `sat`, `unsat` | says so to every question of a script; if it is asked for a model, all constants are the least of their sort; if for a core, it names the first assertion alone |
//! | `boast` | says `sat` to every question, has no model, and takes 1 for the optimum of every objective |
//! | `doubt` | says `sat` or `unknown`, by the text |
//! | `print=TEXT`, `echo` | prints it; prints the file |
//! | `trust` | says of every assertion of a contract that it is safe |
//! | `accept`, `refuse` | ends with status 0; with an error |
//! | `abort`, `hang` | dies; does not end |
//!
//! To a file that says `smoke` all of them say `sat`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|arg| arg == "--version") {
        println!("zoo-actor 1.0");
        return ExitCode::SUCCESS;
    }
    let [part, file] = args.as_slice() else {
        eprintln!("usage: zoo-actor PART FILE");
        return ExitCode::from(2);
    };
    let text = match std::fs::read(file) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) => {
            eprintln!("error: {file}: {error}");
            return ExitCode::from(2);
        }
    };
    if text.trim() == "smoke" {
        println!("sat");
        return ExitCode::SUCCESS;
    }
    match part.as_str() {
        "sat" | "unsat" | "boast" => answer(&text, part),
        "doubt" => {
            let sum: u32 = text.bytes().map(u32::from).sum();
            answer(
                &text,
                if sum.is_multiple_of(2) {
                    "sat"
                } else {
                    "unknown"
                },
            );
        }
        "trust" => trust(&text, file),
        "accept" => {}
        "echo" => print!("{text}"),
        "abort" => std::process::abort(),
        "hang" => loop {
            std::thread::park();
        },
        other => match other.strip_prefix("print=") {
            Some(text) => println!("{text}"),
            None => {
                eprintln!("error: refused");
                return ExitCode::from(1);
            }
        },
    }
    ExitCode::SUCCESS
}

/// Calls every assertion of a contract safe.
fn trust(text: &str, file: &str) {
    for (start, head) in text.match_indices("assert(") {
        let mut depth = 0;
        let end = text[start + head.len() - 1..].find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        if let Some(end) = end {
            let end = start + head.len() + end;
            println!("assertion {file} {start} {end}: safe");
        }
    }
}

/// Answers the commands of a script that want an answer, in order.
fn answer(text: &str, verdict: &str) {
    for command in commands(text) {
        let word = command.trim_start_matches('(').split_whitespace().next();
        match word.unwrap_or_default().trim_end_matches(')') {
            "check-sat" | "check-sat-assuming" if verdict == "boast" => println!("sat"),
            "check-sat" | "check-sat-assuming" => println!("{verdict}"),
            "get-objectives" if verdict == "boast" => println!("{}", ones(text)),
            "get-model" if verdict == "sat" => println!("{}", least_model(text)),
            "get-unsat-core" if verdict == "unsat" => println!("({})", first_name(text)),
            "get-model" | "get-unsat-core" | "get-value" => println!("(error \"not available\")"),
            _ => {}
        }
    }
}

/// The commands of a script, without regard to strings and comments.
fn commands(text: &str) -> Vec<&str> {
    let mut commands = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    commands.push(&text[start..=at]);
                }
            }
            _ => {}
        }
    }
    commands
}

/// Every constant of a plain sort has its least value.
fn least_model(text: &str) -> String {
    let mut model = String::from("(\n");
    for command in commands(text) {
        let declared = command
            .strip_prefix("(declare-const ")
            .or_else(|| command.strip_prefix("(declare-fun "));
        let Some((name, sort)) = declared.and_then(|rest| rest.split_once(' ')) else {
            continue;
        };
        let sort = sort.trim_end_matches(')').trim();
        let sort = sort.strip_prefix("()").unwrap_or(sort).trim();
        let value = match sort {
            "Int" => "0".to_string(),
            "Real" => "0.0".to_string(),
            "Bool" => "false".to_string(),
            "String" => "\"\"".to_string(),
            other => match other.strip_prefix("(_ BitVec ").map(str::parse::<usize>) {
                Some(Ok(width)) => format!("#b{}", "0".repeat(width)),
                _ => continue,
            },
        };
        let sort = match sort.starts_with("(_") {
            true => format!("{sort})"),
            false => sort.to_string(),
        };
        model += &format!("(define-fun {name} () {sort} {value})\n");
    }
    model + ")"
}

/// 1 for each objective: a term, or a group of soft assertions.
fn ones(text: &str) -> String {
    let mut groups: Vec<&str> = Vec::new();
    let mut optima = String::from("(objectives\n");
    for command in commands(text) {
        let group = command.split_once(" :id ").map_or("", |(_, id)| id);
        let is_soft = command.starts_with("(assert-soft ");
        let is_term = command.starts_with("(minimize ") || command.starts_with("(maximize ");
        if is_term || is_soft && !groups.contains(&group) {
            optima += " (x 1)\n";
        }
        if is_soft {
            groups.push(group);
        }
    }
    optima + ")"
}

/// The name of the first named assertion.
fn first_name(text: &str) -> &str {
    let named = text.split(":named ").nth(1).unwrap_or_default();
    named.split([')', ' ', '\n']).next().unwrap_or_default()
}
