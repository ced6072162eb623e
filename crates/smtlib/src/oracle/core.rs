//! The oracle `core`: an unsat core has to be unsat.
//!
//! A target that prints a core (the script asks for it) claims that the named
//! assertions alone have no solution. The script of the core alone is put to
//! every target. One that says sat and gives a model which checks out convicts
//! the author of the core; without a model the two disagree.

use std::collections::BTreeSet;

use lydite_core::{
    Answer, Case, Kind, Observation, Oracle, Program, Symptom, Table, TargetName, Verdict,
};

use crate::model::{Check, Reading, Reply, ask_for_models, check, core_script, replies};
use crate::syntax::parse;

/// How many cores of one case are looked at.
const MOST: usize = 16;

/// Judges unsat cores.
pub struct CoreOracle;

/// A core and the program that holds it alone.
struct Core<'a> {
    author: &'a TargetName,
    names: String,
    program: Program,
}

impl Oracle for CoreOracle {
    fn name(&self) -> &'static str {
        "core"
    }

    fn about(&self) -> &'static str {
        "an unsat core that a target printed turns out satisfiable"
    }

    fn wants_core(&self) -> bool {
        true
    }

    fn follow_up(&self, case: &Case, table: &Table) -> Vec<Program> {
        let mut programs: Vec<Program> = Vec::new();
        for core in cores(case, table) {
            if !programs.contains(&core.program) {
                programs.push(core.program);
            }
        }
        programs
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let mut symptoms = Vec::new();
        for core in cores(case, table) {
            let at = case
                .programs
                .iter()
                .position(|program| *program == core.program);
            let Some(at) = at else { continue };
            for observation in table.of_program(at) {
                if observation.target != *core.author {
                    symptoms.extend(judge_core(&core, at, observation));
                }
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
        for (question, names) in printed_cores(observation) {
            let new = seen.insert((
                observation.program,
                question,
                names.clone(),
                &observation.target,
            ));
            if !new || cores.len() == MOST {
                continue;
            }
            let text = &program.source().text;
            let script = core_script(text, question, &names)
                .and_then(|script| ask_for_models(script.as_bytes(), None).ok());
            if let Some(script) = script {
                let name = program.source().name.clone();
                cores.push(Core {
                    author: &observation.target,
                    names,
                    program: Program::single(name, script.into_bytes()),
                });
            }
        }
    }
    cores
}

/// The number of the question and the names of each core that was printed
/// behind an `unsat`.
fn printed_cores(observation: &Observation) -> Vec<(usize, String)> {
    if !matches!(observation.outcome.answer(), Some(Answer::Verdicts(_))) {
        return Vec::new();
    }
    let output = observation.stdout.text();
    let mut cores = Vec::new();
    let mut asked = 0usize;
    let mut last = None;
    for reply in replies(&output) {
        match reply {
            Reply::Verdict(verdict) => {
                asked += 1;
                last = Some(verdict);
            }
            Reply::Names(names) if last == Some(Verdict::Unsat) => {
                cores.push((asked - 1, names.trim().to_string()));
                last = None;
            }
            _ => {}
        }
    }
    cores
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
    let script = parse(&core.program.source().text).ok()?;
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
}
