//! What a reduction must keep: a bug, an output, or what a command says.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context, Result};
use lydite_core::{
    Answer, Case, Claim, Exit, Kind, Observation, Outcome, Role, Signature, Symptom, Table,
    TargetName, Verdict,
};
use regex::bytes::Regex;

use super::patience::{Patience, is_cut};
use super::{SETTLING_RUNS, Test};
use crate::campaign::{Examined, Examiner, Filed, OptionChoice};
use lydite_core::fault::usage;
use lydite_process::{Cut, Ended, Limits, Scratch, Withdrawn};
use lydite_target::{Idle, Target};

/// Tests whether a case shows the same bug of the same target.
pub struct SameBug {
    examiner: Examiner,
    signature: Signature,
    target: TargetName,
    /// The varied options that it is run with, by family.
    options: BTreeMap<String, Vec<String>>,
    difference: Option<Difference>,
    /// Who has to go on accusing it: one of each family that did. Of a program
    /// that is refused, those that take it.
    accusers: Vec<TargetName>,
    patience: Patience,
    vouch: OnceLock<Vouch>,
    /// Of each target of the examiner.
    idle: Vec<Idle>,
}

/// Finds out whether the programs of a case still have to behave alike.
pub type Vouch = Box<dyn Fn(&Case) -> bool + Send + Sync>;

/// In what two behaviours of a program differ: another exit status is another
/// bug than another output. Where the status is all that differs, it has to
/// stay the same: some compilers return anything from a `main` that returns
/// nothing. A death by a signal stays one in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Difference {
    status: Option<(i32, i32)>,
    text: bool,
}

/// From here on a status stands for a signal.
const SIGNALS: i32 = 128;

impl Difference {
    fn between((status, text): (i32, &[u8]), (right, right_text): (i32, &[u8])) -> Difference {
        let text = text != right_text;
        let kept = |status: i32| if text && status < SIGNALS { 0 } else { status };
        Difference {
            status: (status != right).then(|| (kept(status), kept(right))),
            text,
        }
    }
}

impl SameBug {
    /// Runs `case` with these options, and takes the first symptom with this signature (or the
    /// first of all) for the bug.
    pub fn of(
        mut examiner: Examiner,
        case: &Case,
        signature: Option<&Signature>,
        options: BTreeMap<String, Vec<String>>,
    ) -> Result<SameBug> {
        examiner.replays = 0;
        let choice = OptionChoice::given(&options, &examiner.runner.targets);
        let examined = examiner.examine_with(&examiner.judge.prepare(case.clone()), &choice);
        examiner.check_started(&examined)?;
        let wanted = |filed: &&Filed| signature.is_none_or(|wanted| filed.signature == *wanted);
        let Some(filed) = examined.symptoms.iter().find(wanted) else {
            return Err(usage(match signature {
                Some(signature) => format!("the case does not show `{signature}` any more"),
                None => "nothing is wrong with the case, so there is nothing to keep".to_string(),
            }));
        };
        let symptom = &filed.symptom;
        let accusers = accusers(symptom, &examined.table);
        examiner
            .runner
            .targets
            .retain(|(target, role)| is_needed(target, *role, symptom, &accusers));
        let bug = SameBug {
            signature: filed.signature.clone(),
            target: symptom.target.clone(),
            options,
            difference: difference(&examined.table, symptom),
            accusers,
            patience: Patience::new(examiner.runner.limits.wall),
            vouch: OnceLock::new(),
            idle: idle(&examiner),
            examiner,
        };
        bug.adapt(&examined);
        Ok(bug)
    }

    /// What runs and judges candidates.
    pub fn examiner(&self) -> &Examiner {
        &self.examiner
    }

    /// The target that is accused.
    pub fn target(&self) -> &TargetName {
        &self.target
    }

    /// The same bug in another version of the target.
    pub fn in_target(&self, target: Target) -> SameBug {
        let mut examiner = self.examiner.clone();
        let accused = |name: &TargetName| *name == self.target || *name == target.name;
        examiner
            .runner
            .targets
            .retain(|(other, _)| !accused(&other.name));
        let name = target.name.clone();
        let accusers = self.accusers.iter().filter(|&other| *other != name);
        let accusers = accusers.cloned().collect();
        examiner.runner.targets.insert(0, (target, Role::Tested));
        SameBug {
            idle: idle(&examiner),
            examiner,
            signature: self.signature.clone(),
            target: name,
            options: self.options.clone(),
            difference: self.difference,
            accusers,
            patience: self.patience.clone(),
            vouch: OnceLock::new(),
        }
    }

    /// From now on programs that are claimed to be equivalent have to be
    /// vouched for; the first to do so stays.
    pub fn vouched_by(&self, vouch: Vouch) {
        let _ = self.vouch.set(vouch);
    }

    fn is_vouched_for(&self, case: &Case) -> bool {
        let asked = case.claim.is_equivalence() && case.programs.len() > 1;
        !asked || self.vouch.get().is_none_or(|vouch| vouch(case))
    }

    /// The same bug with fewer options, if the case shows it without some:
    /// none at all is tried first, then one less at a time.
    pub fn with_fewer_options(&self, case: &Case) -> Option<SameBug> {
        let given = OptionChoice::given(&self.options, &self.examiner.runner.targets);
        let case = self.examiner.judge.prepare(case.clone());
        let shown_with = |choice: OptionChoice| {
            let bug = SameBug {
                idle: idle(&self.examiner),
                examiner: self.examiner.clone(),
                signature: self.signature.clone(),
                target: self.target.clone(),
                options: choice.by_family(),
                difference: self.difference,
                accusers: self.accusers.clone(),
                patience: self.patience.clone(),
                vouch: OnceLock::new(),
            };
            let shown = (0..SETTLING_RUNS).all(|_| bug.shows(&case, &Withdrawn::default()));
            shown.then_some((choice, bug))
        };
        let none = OptionChoice::default();
        if given == none {
            return None;
        }
        if let Some((_, bug)) = shown_with(none.clone()) {
            return Some(bug);
        }
        let (mut fewest, mut best) = (given, None);
        loop {
            let smaller = fewest.smaller().into_iter();
            let mut smaller = smaller.filter(|choice| *choice != none);
            match smaller.find_map(shown_with) {
                Some((choice, bug)) => (fewest, best) = (choice, Some(bug)),
                None => return best,
            }
        }
    }

    /// What took long enough to be a bug is not cut short.
    fn adapt(&self, examined: &Examined) {
        if !self.signature.kind.is_timing() {
            let times = examined.table.observations.iter().map(|o| o.cpu);
            self.patience.shown(times.max().unwrap_or_default());
        }
    }

    fn run(&self, prepared: &Case, withdrawn: &Withdrawn) -> Examined {
        let choice = OptionChoice::given(&self.options, &self.examiner.runner.targets);
        let examine = |examiner: &Examiner| examiner.examine_with(prepared, &choice);
        examine_patiently(&self.examiner, &self.patience, withdrawn, &examine)
    }

    /// True if processes that stay, where all targets have such, show nothing
    /// of the bug: that is quick, and most candidates do not.
    fn is_unlikely(&self, prepared: &Case, withdrawn: &Withdrawn) -> bool {
        if !self.options.is_empty() || self.signature.kind.is_timing() {
            return false;
        }
        let examiner = limited(&self.examiner, self.patience.limit(), withdrawn);
        examiner
            .examine_warm(prepared, &self.idle)
            .is_some_and(|seen| {
                // What the clock cut short has shown nothing.
                !seen.table.observations.iter().any(is_cut)
                    && !seen.symptoms.iter().any(|filed| self.is_same(filed, &seen))
            })
    }

    /// Runs the case; true if it shows the bug.
    pub fn look(&self, case: &Case) -> (Examined, bool) {
        let examined = self.run(
            &self.examiner.judge.prepare(case.clone()),
            &Withdrawn::default(),
        );
        let mut symptoms = examined.symptoms.iter();
        let bad = symptoms.any(|filed| self.is_same(filed, &examined));
        (examined, bad)
    }

    /// Runs the case once more and tells what is wrong with it.
    pub fn examine(&self, case: &Case) -> Option<(Examined, Filed)> {
        let examined = self.run(
            &self.examiner.judge.prepare(case.clone()),
            &Withdrawn::default(),
        );
        let filed = examined
            .symptoms
            .iter()
            .find(|filed| self.is_same(filed, &examined))?;
        let filed = filed.clone();
        Some((examined, filed))
    }

    /// True if all that accused the target still do.
    fn is_accused(&self, symptom: &Symptom, table: &Table) -> bool {
        let takes = |name: &TargetName| taking(table, symptom.program).any(|other| other == name);
        self.accusers.iter().all(|name| match symptom.kind {
            Kind::RejectsValid => takes(name),
            _ => symptom.against.contains(name),
        })
    }

    /// The same site. Where the outputs of the original part at two words of one kind, its
    /// site tells nothing, and that of a smaller program may be any.
    fn is_same_site(&self, site: &str) -> bool {
        let own = fact(&self.signature, "site");
        let of_output = matches!(self.signature.kind, Kind::WrongOutput | Kind::Disagreement);
        site == own || of_output && matches!(own, "" | "output")
    }

    /// The same kind at the same place in the same target, with no feature
    /// that the original does not have. Where a claim convicted the target
    /// that edits cannot keep, the same wrong answer against that of another
    /// target is the same bug.
    fn is_same(&self, filed: &Filed, examined: &Examined) -> bool {
        let symptom = &filed.symptom;
        let wrong = match self.signature.kind {
            Kind::RefutationUnsound => Some(Verdict::Unsat),
            Kind::SolutionUnsound => Some(Verdict::Sat),
            _ => None,
        };
        let same_place = symptom.kind == self.signature.kind
            && difference(&examined.table, symptom) == self.difference
            && self.is_same_site(fact(&filed.signature, "site"));
        let same_answer = matches!(symptom.kind, Kind::Disagreement | Kind::InvalidModel)
            && wrong.is_some_and(|wrong| {
                is_contradicted(&examined.table, symptom.program, &self.target, wrong)
            });
        let known = features(&self.signature);
        (same_place || same_answer)
            && symptom.target == self.target
            && self.is_accused(symptom, &examined.table)
            && features(&filed.signature)
                .iter()
                .all(|feature| known.contains(feature))
    }
}

/// An examiner whose runs take at most so long, and end when nobody waits for them.
fn limited(examiner: &Examiner, limit: Duration, withdrawn: &Withdrawn) -> Examiner {
    let mut examiner = examiner.clone();
    examiner.runner.limits.wall = limit;
    examiner.runner.limits.withdrawn = Some(withdrawn.clone());
    examiner
}

/// Examines a candidate, and again for longer while runs of it were cut short that
/// had little of the machine.
fn examine_patiently(
    examiner: &Examiner,
    patience: &Patience,
    withdrawn: &Withdrawn,
    examine: &dyn Fn(&Examiner) -> Examined,
) -> Examined {
    let mut limit = patience.limit();
    loop {
        let examined = examine(&limited(examiner, limit, withdrawn));
        match patience.longer_for(limit, &examined.table.observations) {
            Some(longer) if !withdrawn.is_withdrawn() => limit = longer,
            _ => return examined,
        }
    }
}

fn idle(examiner: &Examiner) -> Vec<Idle> {
    examiner
        .runner
        .targets
        .iter()
        .map(|_| Idle::default())
        .collect()
}

/// Who has to go on accusing the target: one of each family that does. Of a program
/// that is refused, those that take it.
fn accusers(symptom: &Symptom, table: &Table) -> Vec<TargetName> {
    match symptom.kind {
        Kind::WrongOutput => one_of_each_family(symptom.against.iter()),
        Kind::RejectsValid => one_of_each_family(taking(table, symptom.program)),
        _ => Vec::new(),
    }
}

/// True if candidates have to run on this target. Who else may be at fault does not
/// matter; that the program is one that gates let pass does, and where the target dies.
fn is_needed(target: &Target, role: Role, symptom: &Symptom, accusers: &[TargetName]) -> bool {
    let is_gate = role == Role::Reference && target.is_gate();
    let is_teller = role == Role::Reference && target.tells_sites();
    let accuses = accusers.contains(&target.name);
    let vouches = match symptom.kind {
        Kind::Crash => is_gate || is_teller,
        Kind::WrongOutput => role == Role::Reference || accuses,
        Kind::RejectsValid if !accusers.is_empty() => is_gate || accuses,
        _ => true,
    };
    vouches || target.name == symptom.target
}

/// The targets that take a program.
fn taking(table: &Table, program: usize) -> impl Iterator<Item = &TargetName> {
    let takes =
        |one: &&Observation| matches!(one.outcome, Outcome::Answered(_) | Outcome::Undecided);
    table
        .of_program(program)
        .filter(takes)
        .map(|one| &one.target)
}

/// How the accused target differs from the first that it is accused by, where
/// both tell what a program did.
fn difference(table: &Table, symptom: &Symptom) -> Option<Difference> {
    let answer = |name: &TargetName| {
        let mut observations = table.of_program(symptom.program);
        let observation = observations.find(|one| one.target == *name)?;
        observation.outcome.answer()
    };
    match (answer(&symptom.target)?, answer(symptom.against.first()?)?) {
        (
            Answer::Output { status, text },
            Answer::Output {
                status: right,
                text: right_text,
            },
        ) => Some(Difference::between(
            (*status, text.as_ref()),
            (*right, right_text.as_ref()),
        )),
        _ => None,
    }
}

/// The first of each family.
fn one_of_each_family<'a>(names: impl Iterator<Item = &'a TargetName>) -> Vec<TargetName> {
    let mut first: Vec<TargetName> = Vec::new();
    for name in names {
        if !first.iter().any(|other| other.family == name.family) {
            first.push(name.clone());
        }
    }
    first
}

fn fact<'a>(signature: &'a Signature, key: &str) -> &'a str {
    let found = signature.facts.iter().find(|(name, _)| name == key);
    found.map_or("", |(_, value)| value)
}

fn features(signature: &Signature) -> Vec<&str> {
    fact(signature, "features").split_whitespace().collect()
}

impl Test for SameBug {
    /// What the accusers take counts as valid, where the language cannot tell.
    fn prepare(&self, case: Case) -> Case {
        let mut prepared = self.examiner.judge.prepare(case);
        let refused = self.signature.kind == Kind::RejectsValid && !self.accusers.is_empty();
        if refused && prepared.claim == Claim::Silent {
            prepared.claim = Claim::Accepted;
        }
        prepared
    }

    fn shows(&self, case: &Case, withdrawn: &Withdrawn) -> bool {
        if self.is_unlikely(case, withdrawn) {
            return false;
        }
        let examined = self.run(case, withdrawn);
        let mut symptoms = examined.symptoms.iter();
        let shown = symptoms.any(|filed| self.is_same(filed, &examined));
        let shown = shown && !withdrawn.is_withdrawn() && self.is_vouched_for(case);
        if shown && !withdrawn.is_withdrawn() {
            self.adapt(&examined);
        }
        shown
    }

    fn vouches(&self) -> bool {
        self.vouch.get().is_some()
    }
}

/// True if `target` answers some question with `wrong` and another target
/// answers it with the opposite.
fn is_contradicted(table: &Table, program: usize, target: &TargetName, wrong: Verdict) -> bool {
    let verdicts = |observation: &'_ Observation| match observation.outcome.answer() {
        Some(Answer::Verdicts(verdicts)) => verdicts.clone(),
        _ => Vec::new(),
    };
    let accused = table.of_program(program).filter(|o| o.target == *target);
    let accused: Vec<Verdict> = accused.flat_map(verdicts).collect();
    let mut others = table.of_program(program).filter(|o| o.target != *target);
    others.any(|other| {
        let said = verdicts(other);
        let mut pairs = accused.iter().zip(&said);
        said.len() == accused.len()
            && pairs.any(|(ours, theirs)| *ours == wrong && ours.contradicts(*theirs))
    })
}

/// Tests whether the output of every target matches a pattern.
pub struct OutputTest {
    examiner: Examiner,
    pattern: Regex,
    patience: Patience,
}

impl OutputTest {
    /// A test in which every target of the examiner has to print something that matches.
    pub fn new(examiner: Examiner, pattern: &str) -> Result<OutputTest> {
        let pattern = Regex::new(pattern).with_context(|| format!("--interesting {pattern}"))?;
        Ok(OutputTest {
            patience: Patience::new(examiner.runner.limits.wall),
            examiner,
            pattern,
        })
    }
}

impl Test for OutputTest {
    fn shows(&self, case: &Case, withdrawn: &Withdrawn) -> bool {
        let examine = |examiner: &Examiner| examiner.examine(case);
        let examined = examine_patiently(&self.examiner, &self.patience, withdrawn, &examine);
        let matches = |observation: &Observation| {
            [&observation.stdout, &observation.stderr]
                .into_iter()
                .any(|capture| {
                    self.pattern.is_match(&capture.head) || self.pattern.is_match(&capture.tail)
                })
        };
        let observations = &examined.table.observations;
        let shown = !observations.is_empty() && observations.iter().all(matches);
        if shown {
            let times = observations.iter().map(|observation| observation.cpu);
            self.patience.shown(times.max().unwrap_or_default());
        }
        shown
    }
}

/// Tests whether a command of the user ends with 0. `@@` among its words stands for the program's
/// file; without it, the file comes last.
pub struct CommandTest {
    words: Vec<OsString>,
    /// The user's own: a test of theirs may need anything.
    env: Vec<(String, String)>,
    limits: Limits,
    patience: Patience,
    scratch: Arc<Scratch>,
}

impl CommandTest {
    /// A test by this command, which is run in a folder of its own.
    pub fn new(words: Vec<OsString>, limits: Limits, scratch: Arc<Scratch>) -> CommandTest {
        CommandTest {
            words,
            env: std::env::vars_os()
                .filter_map(|(key, value)| {
                    Some((key.into_string().ok()?, value.into_string().ok()?))
                })
                .collect(),
            patience: Patience::new(limits.wall),
            limits,
            scratch,
        }
    }

    fn says_yes(&self, case: &Case, withdrawn: &Withdrawn) -> Result<bool> {
        let mut limit = self.patience.limit();
        loop {
            let ended = self.run(case, limit, withdrawn)?;
            if ended.exit == Exit::Status(0) {
                self.patience.shown(ended.cpu);
                return Ok(true);
            }
            match self.patience.longer(limit, ended.cpu) {
                Some(longer) if ended.cut == Some(Cut::WallTime) && !withdrawn.is_withdrawn() => {
                    limit = longer
                }
                _ => return Ok(false),
            }
        }
    }

    fn run(&self, case: &Case, limit: Duration, withdrawn: &Withdrawn) -> Result<Ended> {
        let folder = self.scratch.folder()?;
        for file in &case.programs[0].files {
            std::fs::write(folder.path().join(&file.name), &file.text)?;
        }
        let source = folder.path().join(&case.programs[0].source().name);
        let mut argv: Vec<OsString> = self.words.clone();
        match argv.iter_mut().find(|word| *word == "@@") {
            Some(word) => *word = source.into_os_string(),
            None => argv.push(source.into_os_string()),
        }
        Ok(lydite_process::run(&lydite_process::Command {
            argv: &argv,
            dir: folder.path(),
            stdin: None,
            env: &self.env,
            limits: &Limits {
                wall: limit,
                withdrawn: Some(withdrawn.clone()),
                ..self.limits.clone()
            },
        })?)
    }
}

impl Test for CommandTest {
    fn shows(&self, case: &Case, withdrawn: &Withdrawn) -> bool {
        self.says_yes(case, withdrawn).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_exit_status_is_another_bug() {
        // Status and output of the accused and of the references; the same of
        // a candidate; whether it is the same bug.
        let rows = [
            ((0, "1"), (0, "2"), (0, "5"), (0, "7"), true),
            ((0, "1"), (0, "2"), (9, "5"), (0, "7"), false),
            ((0, "1"), (0, "2"), (9, ""), (0, ""), false),
            ((134, ""), (0, ""), (134, ""), (0, ""), true),
            ((134, ""), (0, ""), (37, ""), (0, ""), false),
            ((134, ""), (0, ""), (139, ""), (0, ""), false),
            ((1, ""), (0, ""), (1, ""), (0, ""), true),
            ((1, ""), (0, ""), (96, ""), (0, ""), false),
            ((1, "a"), (0, "b"), (3, "c"), (0, "d"), true),
            ((1, "a"), (0, "b"), (139, "c"), (0, "d"), false),
        ];
        for (accused, right, candidate, expected, same) in rows {
            let between = |(one, text): (i32, &str), (other, right): (i32, &str)| {
                Difference::between((one, text.as_bytes()), (other, right.as_bytes()))
            };
            let found = between(accused, right) == between(candidate, expected);
            assert_eq!(
                found, same,
                "{accused:?} {right:?} {candidate:?} {expected:?}"
            );
        }
    }
}
