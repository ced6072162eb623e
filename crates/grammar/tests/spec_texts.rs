//! One tree, several texts: further templates of productions.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod making;

use std::sync::Arc;

use lydite_core::{Case, Choices, Claim, PlainLanguage, SettingFile, Settings, Strategy};
use lydite_grammar::spec::{Spec, SpecStrategy};
use making::{height, programs};

/// A sum in two notations, and a name that one of them leaves out.
const SUMS: &str = r##"
height 3;
class Program {
  program("${hidden w : Word}${s : Sum}\n") {
    text forward = "${w} ${s} ${w}\n";
    text twice = "${s}${s}\n";
  }
}
class Sum {
  digit("${d : Digit}") {}
  @precedence(1)
  sum("\(${a : Sum}\)-\(${b : Sum}\)") {
    text forward = "#{sign()}(${b},${a})";
  }
}
fn sign() : String = "sub";
class Digit("[0-9]");
class Word("x");
"##;

#[test]
fn the_texts_of_a_tree_differ_only_where_productions_have_further_ones() {
    let programs = programs(SUMS, height(3));
    assert_eq!(programs.spec().texts(), ["forward", "twice"]);
    let mut sums = 0;
    for index in 0..50 {
        let mut choices = Choices::seeded(0, index);
        let (made, _) = programs.make_texts(u32::MAX, &[0, 1], &mut choices);
        let made: Vec<String> = made
            .unwrap()
            .texts
            .into_iter()
            .map(|t| String::from_utf8(t).unwrap())
            .collect();
        let first = made[0].trim_end();
        assert_eq!(made[2], format!("{first}{first}\n"));
        let digits = |text: &str| {
            let mut digits: Vec<char> = text.chars().filter(char::is_ascii_digit).collect();
            digits.sort_unstable();
            digits
        };
        assert_eq!(digits(&made[1]), digits(first));
        assert!(made[1].starts_with("x ") && made[1].ends_with(" x\n"));
        assert!(!made[1].contains('-'));
        sums += made[1].matches("sub").count();
        // The first text is what it would be without the others.
        let mut again = Choices::replay(choices.into_tape());
        assert_eq!(programs.make(&mut again).0.unwrap(), made[0].as_bytes());
    }
    assert!(sums > 20, "{sums}");
}

#[test]
fn what_is_wrong_with_a_further_text_is_told_where_it_stands() {
    for (from, to, expected) in [
        ("${w} ${s} ${w}", "${w} ${sum}", "there is no child `sum`"),
        (
            "${w} ${s} ${w}",
            "${w : Word}",
            "the production's first text declares the child",
        ),
        ("text twice", "text forward", "text `forward` is set twice"),
        ("#{sign()}", "#{sing()}", "sing"),
        (
            "(${b},${a})", "(\\(${b},${a}\\))", "stand right around a child",
        ),
    ] {
        let text = SUMS.replace(from, to);
        assert_ne!(text, SUMS);
        let error = Spec::read("sums.spec", &text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

const PLAIN: PlainLanguage = PlainLanguage {
    name: "plain",
    about: "a language for this test",
    extensions: &["txt"],
    line_comment: "#",
};

fn case(settings: &[(&str, &str)], index: u64) -> Case {
    let given = [("spec", "sums.spec")].iter().chain(settings);
    let given = given.map(|(key, value)| (key.to_string(), value.to_string()));
    let file = SettingFile {
        name: "sums.spec".to_string(),
        text: Arc::from(SUMS),
    };
    let settings = Settings::checked(&SpecStrategy, given.collect()).unwrap();
    let settings = settings.with_files([("spec".to_string(), file)].into());
    let space = SpecStrategy.open(Arc::new(PLAIN), Arc::from([]), &settings);
    let space = space.unwrap();
    space.sample(&mut Choices::seeded(0, index)).unwrap()
}

#[test]
fn a_case_holds_all_texts_that_differ_and_claims_that_they_are_equivalent() {
    let all = case(&[], 0);
    assert_eq!(all.claim, Claim::AcceptedEquivalent);
    assert_eq!(case(&[("claim", "silent")], 0).claim, Claim::Equivalent);
    assert_eq!(all.programs.len(), 3);
    assert_eq!(all.steps, ["text forward", "text twice"]);
    let one = case(&[("texts", "twice")], 0);
    assert_eq!(one.steps, ["text twice"]);
    assert_eq!(one.programs[1], all.programs[2]);
    let none = case(&[("texts", "none")], 0);
    assert_eq!((none.programs.len(), none.claim), (1, Claim::Accepted));
}
