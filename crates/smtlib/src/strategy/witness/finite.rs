//! Constants of few values: every assignment is tried, so that the answer is known
//! whatever was asserted, and can be changed by blocking what is left.

use lydite_core::{Choices, Reject, Verdict};

use super::all;
use super::confirm::{Finite, assigned, assignments, finite_constants, some_is_false};
use super::draw::{Witness, written};
use super::repair::Repair;
use super::script::{Answered, Subject, add_commands, add_pins, define_functions, finished};
use crate::eval::{Budget, Completion, Context, evaluate_all};
use crate::print;
use crate::syntax::{CommandKind, Script, TermId};
use crate::value::Value;

/// The most assignments that are tried here, and the most that are blocked.
const MOST_TRIED: usize = 64;
const MOST_BLOCKED: usize = 24;

/// Sorts of more values than this are pinned.
const MOST_VALUES: usize = 16;

const BUDGET: Budget = Budget { steps: 100_000 };

impl Subject {
    /// One question over constants of few values; the others are pinned.
    pub(super) fn exhausted(
        &mut self,
        choices: &mut Choices,
        only_unsat: bool,
    ) -> Result<Answered, Reject> {
        self.flatten(choices)?;
        let mut witness = self.drawing().witness(choices)?;
        witness.entries.retain(|entry| entry.writable);
        let mut script = self.repaired(&witness, choices)?;
        self.free(&mut witness, choices)?;
        let known = self.known(&witness);
        define_functions(&mut script, &witness)?;
        add_pins(&mut script, &known, choices)?;
        self.script = script;
        let (script, context) = self.under(&witness)?;
        let assertions: Vec<TermId> = self.asserts().into_iter().map(|(_, term)| term).collect();
        let finite = finite_constants(&script, &context);
        let left = Left::find(&script, &context, &assertions, &finite)?;
        let spare = match left.satisfying.is_empty() || only_unsat || !choices.chance(1, 2)? {
            true => None,
            false => Some(*choices.pick(&left.satisfying)?),
        };
        let (mut blocks, mut blocked) = (String::new(), 0);
        for &number in left.open.iter().filter(|&&number| Some(number) != spare) {
            blocks.push_str(&block(self, &finite, number)?);
            blocked += 1;
        }
        let before = choices.chance(1, 2)?;
        let mut script = self.script.clone();
        add_commands(&mut script, &blocks, before)?;
        if let Some(number) = spare {
            let values = finite.iter().zip(digits(&finite, number));
            for ((symbol, values), at) in values {
                witness.add(&self.script, &self.typed, *symbol, &values[at]);
            }
        }
        let verdict = spare.map_or(Verdict::Unsat, |_| Verdict::Sat);
        Ok(Answered {
            text: finished(script, spare.map(|_| &witness))?,
            verdicts: all(verdict, 1),
            how: match (spare, blocked) {
                (None, 0) => "false for every assignment",
                (None, _) => "every assignment that is left blocked",
                (Some(_), 0) => "true for one assignment alone",
                (Some(_), _) => "all assignments but one blocked",
            },
        })
    }

    /// The script with every other assertion made true under the witness.
    fn repaired(&self, witness: &Witness, choices: &mut Choices) -> Result<Script, Reject> {
        let (mut script, context) = self.under(witness)?;
        let known = self.known(witness);
        let mut repair = Repair {
            script: &mut script,
            context: &context,
            known: &known,
        };
        for (at, term) in self.asserts() {
            if choices.chance(1, 2)? {
                let made = repair.make_true(term, choices)?;
                repair.script.commands[at].kind = CommandKind::Assert(made);
            }
        }
        Ok(script)
    }

    /// Takes constants of few values out of the witness, as far as their
    /// assignments can all be tried.
    fn free(&self, witness: &mut Witness, choices: &mut Choices) -> Result<(), Reject> {
        let (script, context) = self.under(&Witness::default())?;
        let (mut product, mut kept) = (1, Vec::new());
        for entry in std::mem::take(&mut witness.entries) {
            let values = entry
                .sort
                .and_then(|_| context.all_values(&script, entry.symbol));
            let count = values.map_or(usize::MAX, |values| values.len());
            if count <= MOST_VALUES && product * count <= MOST_TRIED && choices.chance(7, 8)? {
                product *= count;
            } else {
                kept.push(entry);
            }
        }
        witness.entries = kept;
        Ok(())
    }
}

/// The assignments that are not refuted.
struct Left {
    /// Some assertion may be true.
    open: Vec<usize>,
    /// All of them are.
    satisfying: Vec<usize>,
}

impl Left {
    fn find(
        script: &Script,
        context: &Context,
        assertions: &[TermId],
        finite: &Finite,
    ) -> Result<Left, Reject> {
        let count = assignments(finite).filter(|&count| count <= MOST_TRIED);
        let count = count.ok_or(Reject::NotApplicable("no constants of few values"))?;
        let (mut open, mut satisfying) = (Vec::new(), Vec::new());
        for number in 0..count {
            let context = assigned(context, finite, number);
            if some_is_false(script, &context, assertions) {
                continue;
            }
            open.push(number);
            let values = evaluate_all(script, &context, assertions, Completion::None, BUDGET);
            if values.iter().all(|value| *value == Ok(Value::Bool(true))) {
                satisfying.push(number);
            }
        }
        match open.len() <= MOST_BLOCKED {
            true => Ok(Left { open, satisfying }),
            false => Err(Reject::NotApplicable("too many assignments are left")),
        }
    }
}

/// The value of each constant in assignment `number`, by its place.
fn digits(finite: &Finite, number: usize) -> Vec<usize> {
    let mut rest = number;
    let digit = |(_, values): &(_, std::sync::Arc<[Value]>)| {
        let digit = rest % values.len();
        rest /= values.len();
        digit
    };
    finite.iter().map(digit).collect()
}

/// An assertion that excludes an assignment.
fn block(subject: &Subject, finite: &Finite, number: usize) -> Result<String, Reject> {
    let mut parts = Vec::new();
    for ((symbol, values), at) in finite.iter().zip(digits(finite, number)) {
        let name = print::symbol(&subject.script, *symbol);
        let function = subject
            .typed
            .functions
            .iter()
            .find(|one| one.symbol == *symbol);
        let value = function.and_then(|one| written(&subject.typed, one.result, &values[at]));
        let value = value.ok_or(Reject::NotApplicable("a value that cannot be written"))?;
        parts.push(match value.as_str() {
            "true" => format!("(not {name})"),
            "false" => name,
            value => format!("(distinct {name} {value})"),
        });
    }
    Ok(match &parts[..] {
        [one] => format!("(assert {one})\n"),
        parts => format!("(assert (or {}))\n", parts.join(" ")),
    })
}
