//! Hostile texts: random damage, and what every part of the crate must
//! survive. One [`survive`] serves the tests and the example `fuzz`.

mod outputs;

use lydite_core::{Case, Choices, Claim, Language, Oracle, Program, Reject, Table};
use lydite_smtlib::eval::{Budget, Completion, Context, evaluate_all, question, questions};
use lydite_smtlib::model::{Reading, Reply, ask_for_models, check, core_script, replies};
use lydite_smtlib::oracle::{CoreOracle, ModelOracle};
use lydite_smtlib::syntax::{self, Script};
use lydite_smtlib::{SmtLib, print};

const BUDGET: Budget = Budget { steps: 50_000 };

/// How many questions of a script are looked at.
const QUESTIONS: usize = 3;

/// Every part of the crate on any bytes: an answer, no panic, and what we
/// write ourselves can be read. The choices make what solvers might say.
pub(crate) fn survive(text: &[u8], choices: &mut Choices) -> Result<(), Reject> {
    let program = Program::single("a.smt2", text);
    speak(&program);
    let _ = core_script(text, choices.index(QUESTIONS)?, "a b");
    let Ok(script) = syntax::parse(text) else {
        return judge(&program, None, choices);
    };
    for printed in [print::script(&script), print::pretty(&script)] {
        assert!(syntax::parse_str(&printed).expect("what we print reads") == script);
    }
    evaluate_everything(&script);
    check_models(&script, choices)?;
    judge(&program, Some(&script), choices)
}

/// The functions of the language.
fn speak(program: &Program) {
    let checked = SmtLib.check(program);
    let _ = SmtLib.features(program);
    let _ = SmtLib.fingerprint(program);
    for edit in SmtLib.edits(program).take(3) {
        let after = SmtLib.check(&edit.program);
        assert!(
            checked.is_err() || after.is_ok(),
            "{}: {after:?}",
            edit.what
        );
    }
    let readable = |program: &Program| syntax::parse(&program.source().text).is_ok();
    for dialect in ["standard", "old", "plain", "another"] {
        let spoken = SmtLib.in_dialect(program, dialect);
        assert!(readable(&spoken) || !readable(program), "{dialect}");
    }
    let plain = SmtLib.without_hints(program);
    assert!(SmtLib.without_hints(&plain) == plain, "no hints are left");
    let asking = SmtLib.asking_for_witness(program);
    assert!(readable(&asking) || !readable(program), "asking");
    assert!(SmtLib.asking_for_witness(&asking) == asking, "asked once");
    let core = SmtLib.asking_for_core(&asking);
    assert!(readable(&core) || !readable(program), "asking for a core");
    assert!(SmtLib.asking_for_core(&core) == core, "asked once");
}

/// Evaluates every assertion of the first questions; how many had a value.
fn evaluate_everything(script: &Script) -> usize {
    let mut values = 0;
    for index in 0..questions(script).min(QUESTIONS) {
        let asked = question(script, index).expect("counted");
        let context = Context::new(script, &asked);
        for completion in [Completion::None, Completion::Zero, Completion::Ones] {
            let outcomes = evaluate_all(script, &context, &asked.assertions, completion, BUDGET);
            values += outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        }
    }
    values
}

/// Checks every model of a damaged output against every question.
fn check_models(script: &Script, choices: &mut Choices) -> Result<(), Reject> {
    let output = outputs::output(Some(script), choices)?;
    let asked = questions(script).min(QUESTIONS);
    for target in ["z3@4.8.7", "yices"] {
        let reading = Reading {
            budget: BUDGET,
            ..Reading::of(&target.parse().expect("a target's name"))
        };
        for reply in replies(&output) {
            if let Reply::Model(model) = reply {
                for index in 0..=asked {
                    let _ = check(script, index, model, reading);
                }
            }
        }
    }
    Ok(())
}

/// The oracles on tables of damaged outputs, and on what follows from them.
fn judge(program: &Program, script: Option<&Script>, choices: &mut Choices) -> Result<(), Reject> {
    let claims = ["silent", "sat", "unsat", "sat unsat"];
    let claim: Claim = choices.pick(&claims)?.parse().expect("a claim");
    let mut case = Case::single(program.clone(), claim);
    let mut table = Table {
        timeout: std::time::Duration::from_secs(1),
        observations: Vec::new(),
    };
    outputs::observe(&mut table, script, 0, choices)?;
    for further in CoreOracle.follow_up(&case, &table) {
        let text = &further.source().text;
        let script = syntax::parse(text).expect("the script of a core reads");
        assert!(ask_for_models(text, Some(&[])).is_ok());
        let number = case.programs.len();
        outputs::observe(&mut table, Some(&script), number, choices)?;
        case.programs.push(further);
    }
    let oracles: [&dyn Oracle; 2] = [&ModelOracle, &CoreOracle];
    for oracle in oracles {
        let _ = oracle.refutes_claim(&case, &table);
        let _ = oracle.judge(&case, &table);
    }
    Ok(())
}

/// A few random cuts, splices, changed bytes and exchanged words.
pub(crate) fn damage(
    text: &mut Vec<u8>,
    words: &[Vec<u8>],
    choices: &mut Choices,
) -> Result<(), Reject> {
    const SPLICES: &[&[u8]] = &[
        b"(", b")", b"\"", b"|", b";", b"(_ ", b"(let ((x ", b":named ", b"#x", b"9999999999999",
        b"\xff", b"(as ", b"!", b"(match ", b" ", b"\n", b"(! ", b"(_ bv1 99999999999)",
    ];
    for _ in 0..choices.between(1, 4)? {
        let at = choices.index(text.len() + 1)?;
        match choices.below(8)? {
            0 => text.truncate(at),
            1 if at < text.len() => text[at] = choices.below(256)? as u8,
            2 => {
                let end = (at + choices.index(20)?).min(text.len());
                text.drain(at..end);
            }
            3 => {
                let splice = choices.pick(SPLICES)?;
                text.splice(at..at, splice.iter().copied());
            }
            _ if !words.is_empty() => {
                let word = choices.pick(words)?;
                text.splice(word_at(text, at), word.iter().copied());
            }
            _ => {}
        }
    }
    Ok(())
}

/// The words of a text, for exchange.
pub(crate) fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let words = text.split(is_end).filter(|word| !word.is_empty());
    words.map(<[u8]>::to_vec).collect()
}

/// Where the word lies in which `at` is.
fn word_at(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let end = text[at..].iter().position(is_end);
    let start = text[..at].iter().rposition(is_end);
    start.map_or(0, |start| start + 1)..end.map_or(text.len(), |end| at + end)
}

fn is_end(byte: &u8) -> bool {
    b" \n()".contains(byte)
}
