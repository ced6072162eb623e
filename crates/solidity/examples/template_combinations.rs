//! Every combination of qualifiers of templates, valid or not, with what we
//! say of it, as lines of JSON for a compiler to confirm:
//! `template_combinations VERSION FIRST TEMPLATES MOST [KEY=VALUE]...`. Of a
//! template with more than MOST combinations some qualifiers are varied, drawn
//! as long as they have at most MOST together, and the others stay as they are
//! in one valid program.
#![allow(clippy::disallowed_methods)] // An example is a program: it has arguments.

use std::collections::BTreeMap;

use lydite_core::{Choices, Settings};
use lydite_solidity::Maker;
use lydite_solidity::generate::{Options, draft};
use lydite_solidity::qualify::Placeholder;
use lydite_solidity::strategy::Templates;
use lydite_solidity::types::values;
use lydite_solidity::version::Dialect;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [version, first, templates, most, settings @ ..] = &arguments[..] else {
        eprintln!("template_combinations VERSION FIRST TEMPLATES MOST [KEY=VALUE]...");
        std::process::exit(2);
    };
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let given: BTreeMap<String, String> = settings
        .iter()
        .filter_map(|setting| setting.split_once('='))
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    let settings = Settings::checked(&Templates, given).expect("known settings");
    let options = Options::read(&settings).expect("good settings");
    let dialect: Dialect = version.parse().expect("a version");
    let maker = Maker::new(dialect.clone(), options.clone());
    let (mut index, mut found) = (number(first), 0);
    while found < number(templates) {
        index += 1;
        let mut choices = Choices::seeded(7, index);
        let Ok(draft) = draft(&mut choices, &dialect, maker.theory(), &options) else {
            continue;
        };
        let domains: Vec<Vec<u8>> = (0..draft.declared.len() as u32)
            .map(|number| values(draft.declared.domain(Placeholder(number))).collect())
            .collect();
        let witness = draft.witness.clone();
        let varied = varied(&mut choices, &domains, number(most));
        let all: u64 = varied.iter().map(|&at| domains[at].len() as u64).product();
        if all < 2 {
            continue;
        }
        found += 1;
        let template = maker.template_of(draft);
        for combination in 0..all {
            let mut rest = combination;
            let mut chosen = witness.clone();
            for &at in &varied {
                let domain = &domains[at];
                chosen[at] = domain[(rest % domain.len() as u64) as usize];
                rest /= domain.len() as u64;
            }
            let value = |placeholder: Placeholder| chosen[placeholder.0 as usize];
            let expect = template.accepts(maker.theory(), value);
            let program = maker.fill(&template, value);
            let files = program.files.iter().map(|file| {
                let text = String::from_utf8_lossy(&file.text);
                format!("{:?}:{}", file.name, quoted(&text))
            });
            let files: Vec<String> = files.collect();
            println!(
                "{{\"name\":\"{index}-{combination}\",\"expect\":{expect},\"files\":{{{}}}}}",
                files.join(",")
            );
        }
    }
}

/// The placeholders that are varied: drawn, as long as they have at most `most`
/// combinations together.
fn varied(choices: &mut Choices, domains: &[Vec<u8>], most: u64) -> Vec<usize> {
    let mut open: Vec<usize> = (0..domains.len())
        .filter(|&at| domains[at].len() > 1)
        .collect();
    let (mut varied, mut all) = (Vec::new(), 1);
    while !open.is_empty() {
        let at = open.swap_remove(
            choices
                .index(open.len())
                .expect("a seeded stream has no end"),
        );
        let together = all * domains[at].len() as u64;
        if together <= most {
            varied.push(at);
            all = together;
        }
    }
    varied
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}
