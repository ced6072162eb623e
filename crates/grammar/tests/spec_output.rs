//! Specs that know what their programs print.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod making;

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::{Answer, Case, Choices, Claim, PlainLanguage, SettingFile, Settings, Strategy};
use lydite_grammar::spec::{KnobValue, Limits, Programs, Spec, SpecStrategy, library};
use rusqlite::Connection;
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::types::ValueRef;

/// The number of characters, in two notations.
const LENGTHS: &str = r##"
class Program {
  syn output : String;
  program("print #${w : Word}\n") {
    this.output = "#{length(w.str)}\n";
    text called = "print len(${w})\n";
  }
}
class Word("[a-c]{1,4}");
"##;

const PLAIN: PlainLanguage = PlainLanguage {
    name: "plain",
    about: "a language for this test",
    extensions: &["txt"],
    line_comment: "#",
};

fn case(settings: &[(&str, &str)]) -> Case {
    let given = [("spec", "lengths.spec")].iter().chain(settings);
    let given = given.map(|(key, value)| (key.to_string(), value.to_string()));
    let file = SettingFile {
        name: "lengths.spec".to_string(),
        text: Arc::from(LENGTHS),
    };
    let settings = Settings::checked(&SpecStrategy, given.collect()).unwrap();
    let settings = settings.with_files([("spec".to_string(), file)].into());
    let space = SpecStrategy.open(Arc::new(PLAIN), Arc::from([]), &settings);
    space.unwrap().sample(&mut Choices::seeded(0, 1)).unwrap()
}

#[test]
fn the_claim_is_what_the_program_prints() {
    for (texts, programs) in [("none", 1), ("all", 2)] {
        let case = case(&[("texts", texts)]);
        assert_eq!(case.programs.len(), programs);
        let text = String::from_utf8(case.programs[0].source().text.to_vec()).unwrap();
        let letters = text.trim_end().len() - "print #".len();
        let claimed = Answer::Output {
            status: 0,
            text: format!("{letters}\n").into_bytes().into(),
        };
        assert_eq!(case.claim, Claim::Answers(claimed));
    }
    assert_eq!(case(&[("claim", "silent")]).claim, Claim::Equivalent);
}

#[test]
fn an_output_is_a_text_and_read_by_nobody() {
    let spec = Spec::read("lengths.spec", LENGTHS).unwrap();
    assert!(spec.knows_output());
    assert!(spec.warnings().is_empty(), "{:?}", spec.warnings());
    let wrong = LENGTHS
        .replace("syn output : String", "syn output : Int")
        .replace(r##""#{length(w.str)}\n""##, "length(w.str)");
    let error = Spec::read("lengths.spec", &wrong).unwrap_err().to_string();
    assert!(error.contains("what the program prints"), "{error}");
}

fn known(name: &str, height: u32, knobs: &[(&str, KnobValue)]) -> Programs {
    let text = library::find_spec(name).unwrap().text;
    let spec = Spec::read(name, text).unwrap();
    let knobs = knobs.iter();
    let knobs: BTreeMap<String, KnobValue> = knobs.map(|(k, v)| (k.to_string(), *v)).collect();
    let limits = Limits {
        height,
        ..Limits::default()
    };
    spec.programs(&knobs, limits).unwrap()
}

/// What SQLite prints, as its drivers do.
fn run(script: &str) -> String {
    let database = Connection::open_in_memory().unwrap();
    let mut printed = String::new();
    let mut rest = rusqlite::Batch::new(&database, script);
    while let Some(mut statement) = rest.next().unwrap() {
        let width = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells = (0..width).map(|at| match row.get_ref(at).unwrap() {
                ValueRef::Null => "NULL".to_string(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
                other => format!("{other:?}"),
            });
            let cells: Vec<String> = cells.collect();
            printed += &format!("{}\n", cells.join("|"));
        }
    }
    printed
}

#[test]
fn sqlite_prints_what_the_spec_of_known_scripts_says() {
    let mut lines = 0;
    for (height, knobs, count) in [
        (3, vec![], 60),
        (5, vec![], 30),
        (6, vec![("pivots", KnobValue::Int(8))], 20),
    ] {
        let programs = known("sql-known", height, &knobs);
        for index in 0..count {
            let made = programs.make_texts(height, &[], &mut Choices::seeded(7, index));
            let written = made
                .0
                .unwrap_or_else(|problem| panic!("{index}: {problem}"));
            let script = String::from_utf8(written.texts[0].clone()).unwrap();
            let known = String::from_utf8(written.output.unwrap()).unwrap();
            assert_eq!(run(&script), known, "height {height}, {index}:\n{script}");
            lines += known.lines().count();
        }
    }
    assert!(lines > 2000, "{lines}");
}
