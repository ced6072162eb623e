//! A mutant, and the scripts of known answer that are made of it.

use lydite_core::{Choices, Reject, Verdict};

use super::all;
use super::confirm::{WITNESS, interpreted};
use super::draw::{Drawing, Witness, written};
use super::repair::Repair;
use crate::eval::{Budget, Completion, Context, Question, evaluate, question, questions};
use crate::mutate::closed::closed_terms;
use crate::mutate::view::View;
use crate::operators::Operators;
use crate::print;
use crate::scan::wider;
use crate::sort::Sort;
use crate::syntax::{self, CommandKind, Script, TermId, parse_commands};
use crate::typing::{self, Role, Typed};
use crate::value::Value;

/// A script, its answers, and how they came to be known.
pub(super) struct Answered {
    pub(super) text: String,
    pub(super) verdicts: Vec<Verdict>,
    pub(super) how: &'static str,
}

/// A mutant that was read.
pub(in crate::strategy) struct Subject {
    pub(in crate::strategy) script: Script,
    pub(in crate::strategy) typed: Typed,
}

/// What assertions are built with: names that have to mean what they always do.
const OWN_WORDS: [&str; 8] = ["and", "or", "not", "=", "distinct", "ite", "=>", "xor"];

/// How often a constant is given the value of what it should be equal to.
const EQUATIONS: usize = 6;

/// How many terms are told their values at most, of how many, and of what length.
const MOST_VALUED: u64 = 3;
const MOST_TERMS: usize = 200;
const MAX_TERM: usize = 400;

const BUDGET: Budget = Budget { steps: 100_000 };

impl Subject {
    pub(in crate::strategy) fn read(text: &[u8], operators: &Operators) -> Result<Subject, Reject> {
        let no = Reject::NotApplicable;
        let mut script = syntax::parse(text).map_err(|_| no("the mutant cannot be read"))?;
        View::ANSWERS.apply(&mut script).map_err(no)?;
        let options = typing::Options {
            strict: false,
            operators,
        };
        let typed = typing::check(&script, &options);
        let typed = typed.map_err(|_| no("the mutant is not well-sorted"))?;
        let subject = Subject { script, typed };
        if subject.typed.overloaded.is_some() || subject.names_differ() {
            return Err(no("a name means two things"));
        }
        if OWN_WORDS.iter().any(|name| subject.declares(name)) {
            return Err(no("a connective has another meaning"));
        }
        Ok(subject)
    }

    fn declares(&self, name: &str) -> bool {
        let symbol = self.script.symbols().find(name);
        let mut functions = self.typed.functions.iter();
        symbol.is_some_and(|symbol| functions.any(|function| function.symbol == symbol))
    }

    /// True if a name is declared again with another signature.
    fn names_differ(&self) -> bool {
        let declared = |role: Role| role == Role::Declared;
        self.typed.functions.iter().enumerate().any(|(at, one)| {
            let mut before = self.typed.functions[..at].iter();
            before.any(|other| {
                other.symbol == one.symbol
                    && (other.result != one.result
                        || other.parameters != one.parameters
                        || !declared(other.role)
                        || !declared(one.role))
            })
        })
    }

    /// Everything is true under a witness: all questions are `sat`.
    pub(super) fn satisfied(
        &mut self,
        choices: &mut Choices,
        models: u64,
    ) -> Result<Answered, Reject> {
        let pins = choices.below(4)?;
        let pins_terms = choices.chance(1, 2)?;
        if pins >= 2 || pins_terms || choices.chance(1, 4)? {
            self.flatten(choices)?;
        }
        let mut witness = self.best_witness(choices, models)?;
        self.solve_equations(&mut witness)?;
        let (mut script, context) = self.under(&witness)?;
        let known = self.known(&witness);
        let mut repair = Repair {
            script: &mut script,
            context: &context,
            known: &known,
        };
        for at in 0..self.script.commands.len() {
            let kind = match &self.script.commands[at].kind {
                CommandKind::Assert(term) => CommandKind::Assert(repair.make_true(*term, choices)?),
                CommandKind::CheckSat(terms) => CommandKind::CheckSat(assumed(&mut repair, terms)),
                CommandKind::CheckSatAssuming(terms) => {
                    CommandKind::CheckSatAssuming(assumed(&mut repair, terms))
                }
                _ => continue,
            };
            repair.script.commands[at].kind = kind;
        }
        let mut pinned: Vec<(String, String)> = match pins {
            0 | 1 => Vec::new(),
            2 => {
                let mut some = Vec::new();
                for one in &known {
                    if choices.chance(1, 2)? {
                        some.push(one.clone());
                    }
                }
                some
            }
            _ => known.clone(),
        };
        if pins_terms {
            pinned.extend(self.valued_terms(&script, &context, choices)?);
        }
        add_pins(&mut script, &pinned, choices)?;
        let count = questions(&script);
        Ok(Answered {
            text: finished(script, Some(&witness))?,
            verdicts: all(Verdict::Sat, count),
            how: match (pins, pins_terms) {
                (0 | 1, false) => "true under a witness",
                (0 | 1, true) => "true under a witness, with terms of known value",
                (2, _) => "true under a witness, some of it pinned",
                _ => "true under a witness alone",
            },
        })
    }

    /// A few terms of the script and their values under the witness. Constants can be put in the
    /// place of others at once; here a solver has to find what gives a function its value.
    fn valued_terms(
        &self,
        script: &Script,
        context: &Context,
        choices: &mut Choices,
    ) -> Result<Vec<(String, String)>, Reject> {
        let mut terms = Vec::new();
        for (_, root) in self.asserts() {
            for term in closed_terms(&self.script, &self.typed, root) {
                let has_parts = matches!(self.script.call(term), Some((_, [_, ..])));
                let sort = self.typed.sort(term).filter(|&sort| sort != Sort::BOOL);
                if let (true, Some(sort)) = (has_parts && terms.len() < MOST_TERMS, sort) {
                    terms.push((term, sort));
                }
            }
        }
        let mut valued = Vec::new();
        if terms.is_empty() {
            return Ok(valued);
        }
        for _ in 0..choices.between(1, MOST_VALUED)? {
            let (term, sort) = *choices.pick(&terms)?;
            let text = print::term(script, term);
            let value = evaluate(script, context, term, Completion::None, BUDGET).ok();
            let value = value.and_then(|value| written(&self.typed, sort, &value));
            if let (true, Some(value)) = (text.len() <= MAX_TERM, value) {
                valued.push((text, value));
            }
        }
        Ok(valued)
    }

    /// One candidate is left, and it is none.
    pub(super) fn refuted(&mut self, choices: &mut Choices) -> Result<Answered, Reject> {
        self.flatten(choices)?;
        let mut witness = self.drawing().witness(choices)?;
        witness.entries.retain(|entry| entry.writable);
        let (mut script, context) = self.under(&witness)?;
        let known = self.known(&witness);
        let asserts = self.asserts();
        let Some(false_one) = pick(&asserts, choices)? else {
            return Err(Reject::NotApplicable("the mutant asserts nothing"));
        };
        let mut repair = Repair {
            script: &mut script,
            context: &context,
            known: &known,
        };
        for &(at, term) in &asserts {
            let made = match at == false_one.0 {
                true => repair.make_false(term, choices)?,
                false if choices.chance(3, 4)? => repair.make_true(term, choices)?,
                false => term,
            };
            repair.script.commands[at].kind = CommandKind::Assert(made);
        }
        define_functions(&mut script, &witness)?;
        add_pins(&mut script, &known, choices)?;
        Ok(Answered {
            text: finished(script, None)?,
            verdicts: all(Verdict::Unsat, 1),
            how: "false under the only witness that is left",
        })
    }

    /// One question alone, without scopes.
    pub(in crate::strategy) fn flatten(&mut self, choices: &mut Choices) -> Result<(), Reject> {
        let at = choices.index(questions(&self.script).max(1))?;
        let Some(asked) = question(&self.script, at) else {
            return Err(Reject::NotApplicable("the mutant asks nothing"));
        };
        let mut commands = Vec::new();
        for &at in &asked.declarations {
            commands.push(self.script.commands[at].clone());
        }
        let asserts = asked.assertions.iter();
        commands.extend(asserts.map(|&term| CommandKind::Assert(term).into()));
        commands.push(CommandKind::CheckSat(Vec::new()).into());
        self.script.commands = commands;
        Ok(())
    }

    pub(super) fn drawing(&self) -> Drawing<'_> {
        Drawing::new(&self.script, &self.typed)
    }

    /// The assertions, with the commands that hold them.
    pub(in crate::strategy) fn asserts(&self) -> Vec<(usize, TermId)> {
        let commands = self.script.commands.iter().enumerate();
        commands
            .filter_map(|(at, command)| match command.kind {
                CommandKind::Assert(term) => Some((at, term)),
                _ => None,
            })
            .collect()
    }

    /// The constants that solvers can be told the values of.
    pub(super) fn known(&self, witness: &Witness) -> Vec<(String, String)> {
        let value = |entry: &super::draw::Entry| {
            let name = print::symbol(&self.script, entry.symbol);
            Some((name, entry.value()?.to_string()))
        };
        witness.entries.iter().filter_map(value).collect()
    }

    /// The script with the witness read into it, and what names then mean
    /// anywhere in it.
    pub(super) fn under(&self, witness: &Witness) -> Result<(Script, Context), Reject> {
        let mut script = self.script.clone();
        let commands = parse_commands(&mut script, &witness.text())
            .map_err(|_| Reject::NotApplicable("a witness that cannot be read"))?;
        let mut everything = Question::default();
        for (at, command) in script.commands.iter().enumerate() {
            match command.kind {
                CommandKind::Assert(_) => everything.naming.push(at),
                CommandKind::Push(_) | CommandKind::Pop(_) | CommandKind::Word(_) => {}
                _ => everything.declarations.push(at),
            }
        }
        let context = interpreted(&script, &everything, &commands);
        Ok((script, context))
    }

    /// Of several witnesses the one under which most assertions are true.
    fn best_witness(&self, choices: &mut Choices, models: u64) -> Result<Witness, Reject> {
        let drawing = self.drawing();
        let asserts = self.asserts();
        let mut best: Option<(usize, Witness)> = None;
        for _ in 0..models {
            let witness = drawing.witness(choices)?;
            let (script, context) = self.under(&witness)?;
            let holds = |(_, term): &&(usize, TermId)| {
                let value = evaluate(&script, &context, *term, Completion::None, BUDGET);
                value == Ok(Value::Bool(true))
            };
            let score = asserts.iter().filter(holds).count();
            if best.as_ref().is_none_or(|(least, _)| score > *least) {
                best = Some((score, witness));
            }
            if score == asserts.len() {
                break;
            }
        }
        let (_, witness) = best.ok_or(Reject::NotApplicable("no witness was drawn"))?;
        Ok(witness)
    }

    /// Gives constants the values of what they are asserted to be equal to.
    fn solve_equations(&self, witness: &mut Witness) -> Result<(), Reject> {
        for _ in 0..EQUATIONS {
            let (script, context) = self.under(witness)?;
            let value = |term| evaluate(&script, &context, term, Completion::None, BUDGET);
            let mut change = None;
            for (_, term) in self.asserts() {
                if value(term) != Ok(Value::Bool(false)) {
                    continue;
                }
                let Some(("=", &[left, right])) = script.call(term) else {
                    continue;
                };
                let sides = [(left, right), (right, left)];
                change = sides.into_iter().find_map(|(constant, other)| {
                    let (name, []) = script.call(constant)? else {
                        return None;
                    };
                    let symbol = script.symbols().find(name)?;
                    let mut entries = witness.entries.iter();
                    let at = entries.position(|one| one.symbol == symbol && one.sort.is_some())?;
                    let value = value(other).ok().filter(Value::decidable)?;
                    (!mentions(&script, other, name)).then_some((at, value))
                });
                if change.is_some() {
                    break;
                }
            }
            match change {
                Some((at, value)) if witness.entries[at].set(&self.typed, &value) => {}
                _ => break,
            }
        }
        Ok(())
    }
}

fn pick(
    asserts: &[(usize, TermId)],
    choices: &mut Choices,
) -> Result<Option<(usize, TermId)>, Reject> {
    match asserts {
        [] => Ok(None),
        asserts => Ok(Some(*choices.pick(asserts)?)),
    }
}

/// True if a constant of that name stands in the term.
fn mentions(script: &Script, term: TermId, name: &str) -> bool {
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        if script.call(term).is_some_and(|(head, _)| head == name) {
            return true;
        }
        script.push_subterms(term, &mut work);
    }
    false
}

/// Assumptions are names, or names denied: each as it is, or its contrary; what
/// is neither true nor false is not assumed.
fn assumed(repair: &mut Repair<'_>, terms: &[TermId]) -> Vec<TermId> {
    let mut made = Vec::with_capacity(terms.len());
    for &term in terms {
        match repair.truth(term) {
            Some(true) => made.push(term),
            Some(false) => {
                let inner = match repair.script.call(term) {
                    Some(("not", &[inner])) => Some(inner),
                    _ => None,
                };
                made.push(inner.unwrap_or_else(|| repair.script.make_call("not", &[term])));
            }
            None => {}
        }
    }
    made
}

/// Puts definitions where functions of the witness are declared.
pub(super) fn define_functions(script: &mut Script, witness: &Witness) -> Result<(), Reject> {
    for at in 0..script.commands.len() {
        let CommandKind::DeclareFun(symbol, arguments, _) = &script.commands[at].kind else {
            continue;
        };
        if arguments.is_empty() {
            continue;
        }
        let mut entries = witness.entries.iter();
        let entry = entries.find(|entry| entry.symbol == *symbol);
        if let Some(definition) = entry.and_then(super::draw::Entry::definition) {
            let commands = parse_commands(script, &definition)
                .map_err(|_| Reject::NotApplicable("a definition that cannot be read"))?;
            if let Some(command) = commands.into_iter().next() {
                script.commands[at] = command;
            }
        }
    }
    Ok(())
}

/// Asserts that constants have these values, before all other assertions or
/// behind them, one by one or together.
pub(super) fn add_pins(
    script: &mut Script,
    pins: &[(String, String)],
    choices: &mut Choices,
) -> Result<(), Reject> {
    let mut facts = Vec::new();
    for (name, value) in pins {
        facts.push(match (value.as_str(), choices.chance(1, 4)?) {
            ("true", false) => name.clone(),
            ("false", false) => format!("(not {name})"),
            (_, false) => format!("(= {name} {value})"),
            (_, true) => format!("(= {value} {name})"),
        });
    }
    if facts.len() > 1 && choices.chance(1, 3)? {
        facts = vec![format!("(and {})", facts.join(" "))];
    }
    let text: String = facts
        .iter()
        .map(|fact| format!("(assert {fact})\n"))
        .collect();
    let before = choices.chance(1, 2)?;
    add_commands(script, &text, before)
}

/// Puts commands before all assertions, or before the first question.
pub(super) fn add_commands(script: &mut Script, text: &str, before: bool) -> Result<(), Reject> {
    let new = parse_commands(script, text)
        .map_err(|_| Reject::NotApplicable("a value that cannot be written"))?;
    let place = |kind: &CommandKind| match kind {
        CommandKind::Assert(_) => before,
        CommandKind::CheckSat(_) | CommandKind::CheckSatAssuming(_) => true,
        _ => false,
    };
    let at = script
        .commands
        .iter()
        .position(|command| place(&command.kind));
    let at = at.unwrap_or(script.commands.len());
    script.commands.splice(at..at, new);
    Ok(())
}

/// The script as text, in a logic that has what was added, with its witness.
pub(super) fn finished(mut script: Script, witness: Option<&Witness>) -> Result<String, Reject> {
    let mut head = 0;
    for at in 0..script.commands.len() {
        match script.commands[at].kind {
            CommandKind::SetLogic(name) => {
                let wider = wider(script.name(name));
                let name = script.intern(&wider);
                script.commands[at].kind = CommandKind::SetLogic(name);
                head = at + 1;
            }
            CommandKind::SetOption(_) if head == at => head = at + 1,
            _ => {}
        }
    }
    if let Some(witness) = witness {
        let text = witness.text().replace('"', "\"\"");
        let info = parse_commands(&mut script, &format!("(set-info {WITNESS} \"{text}\")"))
            .map_err(|_| Reject::NotApplicable("a witness that cannot be written"))?;
        script.commands.splice(head..head, info);
    }
    Ok(print::script(&script))
}
