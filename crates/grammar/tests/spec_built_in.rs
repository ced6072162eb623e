//! The specs that come with lydite make what they promise.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use lydite_core::{Choices, Language, Program};
use lydite_grammar::spec::{
    KnobValue, Limits, Programs, Spec, SpecFiles, document, format, library,
};
use lydite_smtlib::SmtLib;

fn programs(name: &str, height: u32, knobs: &[(&str, KnobValue)]) -> Programs {
    let built_in = library::find_spec(name).unwrap();
    let spec = Spec::read(name, built_in.text).unwrap_or_else(|error| panic!("{error}"));
    let knobs: BTreeMap<String, KnobValue> =
        knobs.iter().map(|(k, v)| (k.to_string(), *v)).collect();
    let limits = Limits {
        height,
        verify: true,
        ..Limits::default()
    };
    spec.programs(&knobs, limits).unwrap()
}

fn make(programs: &Programs, index: u64) -> Vec<u8> {
    let (made, _) = programs.make(&mut Choices::seeded(0, index));
    made.unwrap_or_else(|problem| panic!("program {index}: {problem}"))
}

#[test]
fn smtlib_scripts_are_well_sorted() {
    let incremental = [("incremental", KnobValue::Bool(true))];
    let halves = [("halves", KnobValue::Bool(true))];
    for (name, knobs, height, count) in [
        ("smtlib", &incremental[..], 2, 100),
        ("smtlib", &incremental, 5, 200),
        ("smtlib", &incremental, 9, 60),
        ("smtlib-floats", &halves, 3, 200),
        ("smtlib-floats", &[], 7, 100),
        ("smtlib-strings", &[], 3, 200),
        ("smtlib-strings", &[], 9, 100),
        ("smtlib-wide", &[], 7, 100),
        ("smtlib-wide", &[], 13, 60),
    ] {
        let programs = programs(name, height, knobs);
        for index in 0..count {
            let text = make(&programs, index);
            let program = Program::single("case.smt2", text);
            if let Err(problem) = SmtLib.check(&program) {
                let text = String::from_utf8_lossy(&program.source().text).into_owned();
                panic!("{name}, height {height}, program {index}: {problem}\n{text}");
            }
        }
    }
}

#[test]
fn all_guards_of_our_specs_hold_when_looked_at_again() {
    for (name, height, count) in [
        ("lua", 6, 40),
        ("c-safe", 6, 40),
        ("c-known", 9, 20),
        ("c-wide", 8, 40),
        ("c", 7, 40),
        ("sql", 7, 100),
        ("sql-known", 5, 60),
        ("assignments-guarded", 6, 300),
    ] {
        let programs = programs(name, height, &[]);
        let sizes: Vec<usize> = (0..count)
            .map(|index| make(&programs, index).len())
            .collect();
        assert!(sizes.iter().any(|&size| size > 200), "{name}");
    }
}

#[test]
fn the_value_of_an_arrow_function_of_javascript_is_in_parentheses() {
    // A record without them would be a block, which engines refuse.
    let programs = programs("javascript", 5, &[]);
    let mut arrows = 0;
    for index in 0..150 {
        let text = String::from_utf8(make(&programs, index)).unwrap();
        assert!(!text.contains("=> {"), "program {index}: {text}");
        arrows += text.matches(") => (").count();
    }
    assert!(arrows > 20, "{arrows}");
}

#[test]
fn smtlib_scripts_use_what_the_logic_has() {
    let programs = programs("smtlib", 9, &[]);
    let all: Vec<u8> = (0..100).flat_map(|index| make(&programs, index)).collect();
    let all = String::from_utf8(all).unwrap();
    for word in [
        "declare-fun", "define-fun", "(let ((", "extract", "concat", "sign_extend", "rotate_left",
        "bvcomp", "bvsmod", "distinct", "(ite ", "(xor ", "#b1", "(f",
    ] {
        assert!(all.contains(word), "{word}");
    }
}

#[test]
fn a_script_of_floats_asks_for_nothing_that_the_standard_leaves_open() {
    let programs = programs("smtlib-floats", 7, &[]);
    let mut guarded = 0;
    for index in 0..200 {
        let text = String::from_utf8(make(&programs, index)).unwrap();
        for (least, guard) in [
            ("(fp.min ", "(fp.isZero "),
            ("(fp.max ", "(fp.isZero "),
            ("fp.to_ubv", "(fp.leq (_ +zero "),
            ("fp.to_sbv", "(fp.leq (_ +zero "),
        ] {
            assert!(
                !text.contains(least) || text.contains(guard),
                "{index}: {text}"
            );
            guarded += usize::from(text.contains(least));
        }
    }
    assert!(guarded > 20);
}

#[test]
fn numbers_of_sql_are_cut_to_size_only_where_that_is_asked_for() {
    for (wrapped, cut) in [(false, false), (true, true)] {
        let knobs = [("wrappers", KnobValue::Bool(wrapped))];
        let programs = programs("sql", 7, &knobs);
        let all: Vec<u8> = (0..60).flat_map(|index| make(&programs, index)).collect();
        let all = String::from_utf8(all).unwrap();
        assert_eq!(all.contains(" % 16384) "), cut);
        for word in [
            "CREATE VIEW", "UPDATE ", "DELETE ", "GROUP BY", "HAVING", "OVER (", "EXISTS (",
            "LEFT JOIN", "UNION", "EXCEPT", "LIKE", "DISTINCT", "LIMIT", "CREATE INDEX",
        ] {
            assert!(all.contains(word), "{word}");
        }
    }
}

#[test]
fn scripts_of_sql_are_written_in_the_words_that_a_dialect_has() {
    let words = [
        ("percent", " % ", "MOD("),
        ("limit_words", " LIMIT ", " ROWS ONLY"),
        ("short_names", "SUBSTR(", "SUBSTRING("),
        ("lengths", "VARCHAR(", " VARCHAR"),
        ("row_lists", "),\n", ");\n  INSERT INTO t0 VALUES (1, "),
        ("differences", "INTERSECT", "UNION"),
    ];
    let off = words.map(|(knob, ..)| (knob, KnobValue::Bool(false)));
    for name in ["sql", "sql-known"] {
        let text = |knobs: &[(&str, KnobValue)]| {
            let programs = programs(name, 4, knobs);
            let all: Vec<u8> = (0..60).flat_map(|index| make(&programs, index)).collect();
            String::from_utf8(all).unwrap()
        };
        let (usual, other) = (text(&[]), text(&off));
        for (knob, word, instead) in words {
            assert!(usual.contains(word), "{name} {knob}");
            assert!(!other.contains(word), "{name} {knob}");
            assert!(other.contains(instead), "{name} {knob}");
        }
    }
}

#[test]
fn triggers_of_sql_are_written_as_a_dialect_has_them() {
    let spellings = [
        ("trigger_bodies", "FOR EACH ROW BEGIN UPDATE"),
        ("trigger_functions", "LANGUAGE plpgsql"),
        ("trigger_values", "FOR EACH ROW SET NEW."),
    ];
    for lacking in 0..=spellings.len() {
        let off: Vec<(&str, KnobValue)> = spellings[..lacking]
            .iter()
            .map(|(knob, _)| (*knob, KnobValue::Bool(false)))
            .collect();
        let programs = programs("sql", 4, &off);
        let all: Vec<u8> = (0..60).flat_map(|index| make(&programs, index)).collect();
        let all = String::from_utf8(all).unwrap();
        for (number, (knob, word)) in spellings.iter().enumerate() {
            assert_eq!(all.contains(word), number == lacking, "{lacking} {knob}");
        }
        assert_eq!(all.contains("TRIGGER"), lacking < spellings.len());
    }
}

#[test]
fn a_recursion_of_sql_over_a_table_has_an_end() {
    let once = ("recursive_unions", KnobValue::Bool(false));
    for (knobs, has_once) in [(vec![], true), (vec![once], false)] {
        let programs = programs("sql", 4, &knobs);
        let all: Vec<u8> = (0..60).flat_map(|index| make(&programs, index)).collect();
        let all = String::from_utf8(all).unwrap();
        let counted = all.matches(" UNION ALL SELECT e.").count();
        assert!(counted > 0);
        assert_eq!(all.matches(".p) WHERE r.d < 3)").count(), counted);
        assert_eq!(all.contains(" UNION SELECT "), has_once);
    }
}

#[test]
fn knobs_switch_constructs_off() {
    let off: Vec<(&str, KnobValue)> = ["functions", "definitions", "lets"]
        .map(|name| (name, KnobValue::Bool(false)))
        .to_vec();
    let programs = programs("smtlib", 6, &off);
    for index in 0..50 {
        let text = String::from_utf8(make(&programs, index)).unwrap();
        assert!(!text.contains("-fun") && !text.contains("(let "), "{text}");
    }
}

#[test]
fn every_spec_in_the_documentation_works() {
    let pages = [
        include_str!("../../../docs/spec/tutorial.md"),
        include_str!("../../../docs/spec/cookbook.md"),
    ];
    let mut shown = 0;
    for page in pages {
        for block in page.split("```spec\n").skip(1) {
            let text = block.split("```").next().unwrap();
            shown += 1;
            let spec = Spec::read("docs", text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(spec.warnings(), [], "{text}");
            assert_eq!(lydite_grammar::spec::format("docs", text).unwrap(), text);
            let limits = Limits {
                verify: true,
                ..Limits::default()
            };
            let programs = spec.programs(&BTreeMap::new(), limits).unwrap();
            for index in 0..50 {
                make(&programs, index);
            }
        }
    }
    assert_eq!(shown, 8);
}

#[test]
fn the_reference_lists_every_function_of_the_prelude() {
    let reference = include_str!("../../../docs/spec/reference.md");
    let prelude = include_str!("../../../specs/lib/prelude.spec");
    for line in prelude.lines().filter_map(|line| line.strip_prefix("fn ")) {
        let name = line.split(['<', '(']).next().unwrap();
        let listed = reference.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        assert!(listed.into_iter().any(|word| word == name), "{name}");
    }
}

#[test]
fn our_specs_and_libraries_are_clean_laid_out_and_documented() {
    for file in library::SPECS.iter().chain(library::LIBRARIES) {
        assert_eq!(
            format(file.name, file.text).unwrap(),
            file.text,
            "{}",
            file.name
        );
    }
    for file in library::SPECS {
        let spec = Spec::read(file.name, file.text).unwrap();
        assert_eq!(spec.warnings(), [], "{}", file.name);
        let doc = document(file.name, file.text, &SpecFiles::new()).unwrap();
        assert!(doc.lines().count() > 20, "{}", file.name);
    }
    let doc = document(
        "assignments",
        library::find_spec("assignments").unwrap().text,
        &SpecFiles::new(),
    )
    .unwrap();
    assert!(doc.contains("### UseVariable\n\nOne of the variables that are defined.\n\n- `inh syms : Symbols`\n- `var`\n"), "{doc}");
}

#[test]
fn layout_changes_no_word_and_is_stable() {
    let untidy = "class  A{\n\n\n\n      a( \"x\" ){\n this.s=1+ -2 ;# why\n}\n  }\nfn f( a:Map<Int,Int> ):Bool=a <b;";
    let tidy = "class A {\n\n  a(\"x\") {\n    this.s = 1 + -2; # why\n  }\n}\nfn f(a: Map<Int, Int>): Bool = a < b;\n";
    let once = format("test", untidy).unwrap();
    assert_eq!(format("test", &once).unwrap(), once);
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(words(&once), words(untidy));
    assert_eq!(once.lines().count(), tidy.lines().count());
}
