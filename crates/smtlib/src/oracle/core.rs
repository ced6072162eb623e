//! The oracle `core`: an unsat core has to be unsat, and so do assumptions.
//!
//! A target that prints a core (the script asks for it) claims that the named
//! assertions alone have no solution. The script of the core alone is put to
//! every target. One that says sat and gives a model which checks out convicts
//! the author of the core; without a model the two disagree. The same holds for the
//! assumptions that `(get-unsat-assumptions)` prints, which moreover have to be some of
//! those that were assumed.
//!
//! **Minimality** is judged where it is promised, by targets whose variant is called
//! `minimal-cores` or that ran with an option which promises that: cvc5 reduces a core to one that is minimal as far as it can decide,
//! and z3 says that it minimizes. So a core without one of its names is wrong only if its
//! author says `unsat` to that as well, somebody of another family agrees, and nobody
//! says `sat`.

use std::collections::BTreeSet;

use lydite_core::oracle::independent_family;
use lydite_core::{
    Answer, Case, Kind, Observation, Oracle, Program, Symptom, Table, TargetName, Verdict,
};

use crate::model::{
    Check, CoreScript, Reading, Reply, ask_for_models, check, core_script, replies, smaller_cores,
};
use crate::syntax::parse;

/// How many cores of one case are looked at.
const MOST: usize = 16;

/// The variant of targets that promise minimal cores, and what such options promise.
const MINIMAL: &str = "minimal-cores";

/// Judges unsat cores.
pub struct CoreOracle;

/// A core, or a list of assumptions, and the program that holds it alone.
struct Core<'a> {
    author: &'a TargetName,
    names: String,
    asked: usize,
    alone: Result<Program, String>,
    /// The core without one of its names, and the name.
    smaller: Vec<(String, Program)>,
}

impl Oracle for CoreOracle {
    fn name(&self) -> &'static str {
        "core"
    }

    fn about(&self) -> &'static str {
        "an unsat core that a target printed, or its unsat assumptions, turn out satisfiable"
    }

    fn wants_core(&self) -> bool {
        true
    }

    fn follow_up(&self, case: &Case, table: &Table) -> Vec<Program> {
        let mut programs: Vec<Program> = Vec::new();
        for core in cores(case, table) {
            let smaller = core.smaller.into_iter().map(|(_, program)| program);
            for program in core.alone.into_iter().chain(smaller) {
                if !programs.contains(&program) {
                    programs.push(program);
                }
            }
        }
        programs
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let mut symptoms = Vec::new();
        let place = |wanted: &Program| case.programs.iter().position(|other| other == wanted);
        for core in cores(case, table) {
            symptoms.extend(judge_assumed(&core));
            if let Some(at) = core.alone.as_ref().ok().and_then(place) {
                for observation in table.of_program(at) {
                    if observation.target != *core.author {
                        symptoms.extend(judge_core(&core, at, observation));
                    }
                }
            }
            for (name, program) in &core.smaller {
                let Some(at) = place(program) else { continue };
                symptoms.extend(judge_smaller(&core, name, at, table));
            }
        }
        symptoms
    }
}

/// Every core that was printed, with its script. The scripts of cores ask for
/// none themselves, so that nothing follows from what followed.
fn cores<'a>(case: &Case, table: &'a Table) -> Vec<Core<'a>> {
    let mut cores = Vec::new();
    let mut seen = BTreeSet::new();
    for observation in &table.observations {
        let Some(program) = case.programs.get(observation.program) else {
            continue;
        };
        for (question, names) in printed_lists(observation) {
            let new = seen.insert((
                observation.program,
                question,
                names.clone(),
                &observation.target,
            ));
            if new && cores.len() < MOST {
                cores.extend(read_core(program, observation, question, names));
            }
        }
    }
    cores
}

fn read_core<'a>(
    program: &Program,
    observation: &'a Observation,
    question: usize,
    names: String,
) -> Option<Core<'a>> {
    let text = &program.source().text;
    let with_models = |script: String| {
        let script = ask_for_models(script.as_bytes(), None).ok()?;
        let name = program.source().name.clone();
        Some(Program::single(name, script.into_bytes()))
    };
    let alone = match core_script(text, question, &names)? {
        CoreScript::Alone(script) => Ok(with_models(script)?),
        CoreScript::NotAssumed(term) => Err(term),
    };
    let variant = observation.target.variant.iter();
    let mut promises = variant.chain(&observation.promises);
    let smaller = match promises.any(|promise| promise == MINIMAL) {
        true => smaller_cores(text, question, &names),
        false => Vec::new(),
    };
    let smaller = smaller.into_iter();
    Some(Core {
        author: &observation.target,
        smaller: smaller
            .filter_map(|(name, script)| Some((name, with_models(script)?)))
            .collect(),
        names,
        asked: observation.program,
        alone,
    })
}

/// The number of the question and the inside of each list that was printed
/// behind an `unsat`.
fn printed_lists(observation: &Observation) -> Vec<(usize, String)> {
    if !matches!(observation.outcome.answer(), Some(Answer::Verdicts(_))) {
        return Vec::new();
    }
    let output = observation.stdout.text();
    let mut lists = Vec::new();
    let mut asked = 0usize;
    let mut last = None;
    for reply in replies(&output) {
        let inside = match reply {
            Reply::Verdict(verdict) => {
                asked += 1;
                last = Some(verdict);
                continue;
            }
            Reply::Names(names) => names,
            Reply::Other(list) => match list.strip_prefix('(').and_then(|l| l.strip_suffix(')')) {
                Some(inside) => inside,
                None => continue,
            },
            _ => continue,
        };
        if last == Some(Verdict::Unsat) {
            lists.push((asked - 1, inside.trim().to_string()));
            last = None;
        }
    }
    lists
}

/// Something was printed that nobody assumed.
fn judge_assumed(core: &Core<'_>) -> Option<Symptom> {
    let term = core.alone.as_ref().err()?;
    Some(Symptom {
        kind: Kind::WrongOutput,
        target: core.author.clone(),
        against: Vec::new(),
        program: core.asked,
        site: "not an assumption".to_string(),
        evidence: format!(
            "{} names `{term}` among the assumptions ({}) of its refutation, but that was not assumed",
            core.author, core.names
        ),
    })
}

/// A core is not minimal: its author and somebody else refute less.
fn judge_smaller(core: &Core<'_>, name: &str, at: usize, table: &Table) -> Option<Symptom> {
    let said = |observation: &Observation| match observation.outcome.answer() {
        Some(Answer::Verdicts(verdicts)) => match verdicts[..] {
            [verdict] => Some(verdict),
            _ => None,
        },
        _ => None,
    };
    let family = independent_family(core.author);
    let (mut own, mut others, mut doubted) = (false, Vec::new(), false);
    for observation in table.of_program(at) {
        let is_kin = independent_family(&observation.target) == family;
        match said(observation) {
            Some(Verdict::Unsat) if observation.target == *core.author => own = true,
            Some(Verdict::Unsat) if !is_kin => others.push(observation.target.clone()),
            Some(Verdict::Sat) => doubted = true,
            _ => {}
        }
    }
    if !own || others.is_empty() || doubted {
        return None;
    }
    Some(Symptom {
        kind: Kind::WrongOutput,
        target: core.author.clone(),
        site: "core is not minimal".to_string(),
        evidence: format!(
            "{} promises a minimal core and prints ({}); it and {} refute it without {name}",
            core.author, core.names, others[0]
        ),
        against: others,
        program: at,
    })
}

fn judge_core(core: &Core<'_>, at: usize, observation: &Observation) -> Option<Symptom> {
    let Some(Answer::Verdicts(verdicts)) = observation.outcome.answer() else {
        return None;
    };
    if verdicts.as_slice() != [Verdict::Sat] {
        return None;
    }
    let output = observation.stdout.text();
    let model = replies(&output).into_iter().find_map(|reply| match reply {
        Reply::Model(model) => Some(model),
        _ => None,
    });
    let script = parse(&core.alone.as_ref().ok()?.source().text).ok()?;
    let checked = model.map(|model| check(&script, 0, model, Reading::of(&observation.target)));
    let (kind, why) = match checked {
        Some(Check::Valid | Check::Partial) => {
            (Kind::RefutationUnsound, "with a model that checks out")
        }
        // A model that is none convicts its author, not the core's: that is
        // for the oracle `model` to say.
        Some(Check::Invalid(_)) => return None,
        Some(Check::CannotSay(_)) | None => {
            (Kind::Disagreement, "without a model that was checked")
        }
    };
    Some(Symptom {
        kind,
        target: core.author.clone(),
        against: vec![observation.target.clone()],
        program: at,
        site: "core is sat".to_string(),
        evidence: format!(
            "{} says that the core ({}) is unsat; {} says sat, {why}",
            core.author, core.names, observation.target
        ),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lydite_core::{Capture, Claim, Exit, Outcome, Role};

    use super::*;

    const SCRIPT: &str = "(set-option :produce-unsat-cores true)(set-logic QF_LIA)\
        (declare-const x Int)(assert (! (> x 0) :named a))(assert (! (< x 0) :named b))\
        (assert (! (< x 9) :named c))(check-sat)(get-unsat-core)";

    fn observation(target: &str, program: usize, stdout: &str) -> Observation {
        let verdict = Verdict::from_name(stdout.split_whitespace().next().unwrap()).unwrap();
        Observation {
            program,
            target: target.parse().unwrap(),
            role: Role::Tested,
            outcome: Outcome::Answered(Answer::Verdicts(vec![verdict])),
            exit: Exit::Status(0),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_kb: 0,
            stdout: Capture::whole(stdout),
            stderr: Capture::default(),
            promises: Vec::new(),
        }
    }

    /// What is said when z3 prints `core` and cvc5 answers the core's script
    /// with `answer`.
    fn judged(core: &str, answer: &str) -> Vec<String> {
        let mut case = Case::single(Program::single("a.smt2", SCRIPT.as_bytes()), Claim::Silent);
        let mut table = Table {
            timeout: Duration::from_secs(1),
            observations: vec![observation("z3", 0, &format!("unsat\n{core}\n"))],
        };
        let further = CoreOracle.follow_up(&case, &table);
        assert_eq!(further.len(), 1);
        case.programs.extend(further);
        table.observations.push(observation("z3", 1, "unsat"));
        table.observations.push(observation("cvc5", 1, answer));
        assert_eq!(
            CoreOracle.follow_up(&case, &table).len(),
            1,
            "nothing follows from what followed"
        );
        let symptoms = CoreOracle.judge(&case, &table);
        symptoms
            .iter()
            .map(|symptom| format!("{} {}", symptom.kind, symptom.target))
            .collect()
    }

    #[test]
    fn a_core_that_is_sat_convicts_its_author() {
        assert_eq!(judged("(a b)", "unsat"), [""; 0]);
        assert_eq!(
            judged("(a c)", "sat\n((define-fun x () Int 3))"),
            ["refutation-unsound z3"]
        );
        assert_eq!(judged("(a c)", "sat\n"), ["disagreement z3"]);
        assert_eq!(judged("(a c)", "sat\n((define-fun x () Int 10))"), [""; 0]);
        assert_eq!(judged("(a c)", "unknown\n"), [""; 0]);
    }

    #[test]
    fn the_script_of_a_core_holds_it_alone() {
        let case = Case::single(Program::single("a.smt2", SCRIPT.as_bytes()), Claim::Silent);
        let table = Table {
            timeout: Duration::from_secs(1),
            observations: vec![observation("z3", 0, "unsat\n(a c)\n")],
        };
        let programs = CoreOracle.follow_up(&case, &table);
        let text = String::from_utf8(programs[0].source().text.to_vec()).unwrap();
        assert!(
            text.contains("(> x 0)") && text.contains("(< x 9)"),
            "{text}"
        );
        assert!(
            !text.contains("(< x 0)") && !text.contains("get-unsat-core"),
            "{text}"
        );
    }

    /// The same for any script and author; `answers` are the author's and cvc5's to
    /// each program that follows.
    fn judged_by(script: &str, author: &str, list: &str, answers: &[[&str; 2]]) -> Vec<String> {
        let mut case = Case::single(Program::single("a.smt2", script.as_bytes()), Claim::Silent);
        let mut table = Table {
            timeout: Duration::from_secs(1),
            observations: vec![observation(author, 0, &format!("unsat\n{list}\n"))],
        };
        let further = CoreOracle.follow_up(&case, &table);
        assert_eq!(further.len(), answers.len());
        case.programs.extend(further);
        for (at, [own, other]) in answers.iter().enumerate() {
            table.observations.push(observation(author, at + 1, own));
            table.observations.push(observation("cvc5", at + 1, other));
        }
        let symptoms = CoreOracle.judge(&case, &table);
        let line = |symptom: &Symptom| format!("{} {}", symptom.kind, symptom.site);
        symptoms.iter().map(line).collect()
    }

    #[test]
    fn assumptions_are_some_of_those_that_were_made_and_unsat_alone() {
        let script = "(set-option :produce-unsat-assumptions true)(declare-const p Bool)\
            (declare-const q Bool)(assert (not p))(check-sat-assuming (p (not q)))\
            (get-unsat-assumptions)";
        let unsat = ["unsat", "unsat"];
        assert_eq!(judged_by(script, "z3", "(p)", &[unsat]), [""; 0]);
        assert_eq!(judged_by(script, "z3", "(p (not q))", &[unsat]), [""; 0]);
        assert_eq!(
            judged_by(
                script,
                "z3",
                "((not q))",
                &[[
                    "unsat",
                    "sat\n((define-fun p () Bool false)(define-fun q () Bool false))"
                ]]
            ),
            ["refutation-unsound core is sat"]
        );
        assert_eq!(
            judged_by(script, "z3", "(q)", &[]),
            ["wrong-output not an assumption"]
        );
    }

    #[test]
    fn the_end_of_a_front_has_no_core() {
        let script = |priority: &str| {
            let minimizes = SCRIPT.replace("(check-sat)", "(minimize x)(check-sat)");
            format!("(set-option :opt.priority {priority}){minimizes}")
        };
        let sat = ["sat", "sat\n((define-fun x () Int 3))"];
        assert_eq!(judged_by(&script("pareto"), "z3", "()", &[]), [""; 0]);
        assert_eq!(
            judged_by(&script("lex"), "z3", "()", &[sat]),
            ["refutation-unsound core is sat"]
        );
    }

    #[test]
    fn a_core_that_can_be_smaller_is_wrong_where_it_is_promised_to_be_minimal() {
        let (sat, unsat, unknown) = ("sat", "unsat", "unknown");
        let refuted = [unsat, unsat];
        let minimal = "z3:minimal-cores";
        let rows = |without_c: [&'static str; 2]| [refuted, [sat, sat], [sat, sat], without_c];
        let fat = judged_by(SCRIPT, minimal, "(a b c)", &rows(refuted));
        assert_eq!(fat, ["wrong-output core is not minimal"]);
        for open in [
            [unsat, unknown],
            [unknown, unsat],
            [unsat, sat],
            [sat, unsat],
        ] {
            assert_eq!(judged_by(SCRIPT, minimal, "(a b c)", &rows(open)), [""; 0]);
        }
        assert_eq!(judged_by(SCRIPT, "z3", "(a b c)", &[refuted]), [""; 0]);
    }
}
