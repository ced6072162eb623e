//! Programs of templates as lines of JSON, for checks with a compiler:
//! `template_programs VERSION FIRST TEMPLATES PROGRAMS [KEY=VALUE]...`
//! prints PROGRAMS programs of each of TEMPLATES templates.
#![allow(clippy::disallowed_methods)] // An example is a program: it has arguments.

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::{BigUint, PlainLanguage, Settings, Strategy};
use lydite_solidity::strategy::Templates;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [version, first, templates, programs, settings @ ..] = &arguments[..] else {
        eprintln!("template_programs VERSION FIRST TEMPLATES PROGRAMS [KEY=VALUE]...");
        std::process::exit(2);
    };
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let mut given: BTreeMap<String, String> = settings
        .iter()
        .filter_map(|setting| setting.split_once('='))
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    given.insert("solc".to_string(), version.clone());
    given.insert("max".to_string(), programs.clone());
    let language = PlainLanguage {
        name: "solidity",
        about: "",
        extensions: &["sol"],
        line_comment: "//",
    };
    let settings = Settings::checked(&Templates, given).expect("known settings");
    let space = Templates
        .open(Arc::new(language), Arc::new([]), &settings)
        .expect("good settings");
    let start = number(first) * number(programs);
    let many = (number(templates) * number(programs)) as usize;
    for (index, case) in space.walk(&BigUint::from(start)).take(many).enumerate() {
        match case {
            Err(reject) => eprintln!("{index}: {reject}"),
            Ok(case) => {
                let files: Vec<String> = case.programs[0]
                    .files
                    .iter()
                    .map(|file| {
                        let text = String::from_utf8_lossy(&file.text);
                        format!("{:?}:{}", file.name, quoted(&text))
                    })
                    .collect();
                let about = case.steps.join("; ");
                println!(
                    "{{\"name\":\"{}\",\"about\":{},\"files\":{{{}}}}}",
                    start + index as u64,
                    quoted(&about),
                    files.join(",")
                );
            }
        }
    }
}

/// A JSON string; programs are ASCII.
fn quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}
