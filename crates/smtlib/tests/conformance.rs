//! `yaspar` as a strict second opinion: what it reads we read, and what we
//! print of it, it reads too.
#![allow(clippy::disallowed_methods)] // A test reads its data.

mod generator;

use lydite_core::Choices;
use lydite_smtlib::{print, syntax};

fn yaspar_reads(text: &str) -> bool {
    let parser = yaspar::smtlib2::ScriptParser::new();
    let tokens = yaspar::tokenize_str(text, false);
    parser
        .parse(&mut yaspar::action::UnitAction, tokens)
        .is_ok()
}

/// True if `yaspar` reads the text, and then also what we print of it.
fn check(text: &str) -> bool {
    if !yaspar_reads(text) {
        return false;
    }
    let script = syntax::parse_str(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    for printed in [print::script(&script), print::pretty(&script)] {
        assert!(yaspar_reads(&printed), "{printed}");
    }
    true
}

#[test]
fn what_a_strict_parser_reads_we_read_and_print_for_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/smtlib");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).expect("testdata/smtlib is part of the project") {
        let path = entry.expect("a readable folder").path();
        let text = std::fs::read_to_string(path).expect("a readable seed");
        read += usize::from(check(&text));
    }
    assert!(read > 60, "{read}");
    let mut generated = 0;
    for round in 0..200 {
        let text = generator::script(&mut Choices::seeded(11, round)).expect("enough choices");
        generated += usize::from(check(&text));
    }
    assert!(generated > 150, "{generated}");
}
