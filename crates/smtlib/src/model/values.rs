//! What solvers say of operations that the standard leaves open.
//!
//! A model says what constants and functions are. What x/0 is, or the head of
//! an empty list, only z3 says there, and not of everything. So these terms are
//! asked for by `(get-value …)` behind `(get-model)`: what the solver answers is
//! a part of its model.

use crate::eval::roots::rewrite_algebraic;
use crate::eval::{Budget, Completion, Context, Question, evaluate, learn};
use crate::print;
use crate::syntax::{Binder, CommandKind, Datatype, Literal, Script, Term, TermId, parse_term};

use super::reply::items;

/// So many terms of a question are asked for,
const MOST_TERMS: usize = 64;

/// of so many bytes in total.
const MOST_BYTES: usize = 16 << 10;

/// Operators that are open for some arguments. Selectors are too.
const OPEN: [&str; 10] = [
    "/", "div", "mod", "rem", "fp.min", "fp.max", "fp.to_ubv", "fp.to_sbv", "fp.to_real", "seq.nth",
];

/// The terms of a question that may be open, as texts, inner ones first.
///
/// Those that speak of variables of a `let` get the `let`; those that speak of
/// others are left out.
pub(super) fn open_terms(script: &Script, asked: &Question) -> Vec<String> {
    let selectors = selectors(script, asked);
    let mut found = Found {
        script,
        selectors,
        texts: Vec::new(),
        bytes: 0,
    };
    for &at in &asked.declarations {
        for definition in script.commands[at].kind.definitions() {
            if definition.parameters.is_empty() {
                found.look(definition.body);
            }
        }
    }
    for &assertion in &asked.assertions {
        found.look(assertion);
    }
    found.texts
}

/// The selectors of datatypes with more than one constructor, by number of
/// symbol. Those with sort parameters are left out: a value such as the empty list does
/// not tell of which elements it has none, and each kind of list has a head of its own.
fn selectors(script: &Script, asked: &Question) -> Vec<u32> {
    let mut selectors = Vec::new();
    for &at in &asked.declarations {
        let CommandKind::DeclareDatatypes(_, _, datatypes) = &script.commands[at].kind else {
            continue;
        };
        let plain = |d: &&Datatype| d.constructors.len() > 1 && d.parameters.is_empty();
        for datatype in datatypes.iter().filter(plain) {
            let constructors = datatype.constructors.iter();
            selectors.extend(constructors.flat_map(|c| c.selectors.iter().map(|s| s.symbol.0)));
        }
    }
    selectors
}

struct Found<'a> {
    script: &'a Script,
    selectors: Vec<u32>,
    texts: Vec<String>,
    bytes: usize,
}

/// What is left to do: a term and the lets around it, as numbers of `lets`,
/// once before its subterms and once after them.
enum Step {
    Enter(TermId, Option<usize>),
    Leave(TermId, Option<usize>),
}

impl Found<'_> {
    fn look(&mut self, assertion: TermId) {
        // Each let around, with the one around that.
        let mut lets: Vec<(TermId, Option<usize>)> = Vec::new();
        let mut steps = vec![Step::Enter(assertion, None)];
        let mut subterms = Vec::new();
        while let Some(step) = steps.pop() {
            let (term, around) = match step {
                Step::Enter(term, around) => (term, around),
                Step::Leave(term, around) => {
                    self.take(term, around, &lets);
                    continue;
                }
            };
            if self.texts.len() == MOST_TERMS {
                return;
            }
            match self.script.term(term) {
                // Its variables have no values of their own.
                Term::Bind { .. } | Term::Match { .. } => continue,
                Term::Let { bindings, body } => {
                    lets.push((term, around));
                    steps.push(Step::Enter(body, Some(lets.len() - 1)));
                    let bound = bindings.iter().rev();
                    steps.extend(bound.map(|binding| Step::Enter(binding.term, around)));
                }
                _ => {
                    if self.is_open(term) {
                        steps.push(Step::Leave(term, around));
                    }
                    subterms.clear();
                    self.script.push_subterms(term, &mut subterms);
                    let inner = subterms.iter().rev();
                    steps.extend(inner.map(|&inner| Step::Enter(inner, around)));
                }
            }
        }
    }

    fn is_open(&self, term: TermId) -> bool {
        let Term::Application { head, arguments } = self.script.term(term) else {
            return false;
        };
        let symbol = self.script.identifier(head).symbol;
        let name = self.script.name(symbol);
        match name {
            "/" | "div" | "mod" | "rem" => {
                let divisors = arguments.get(1..).unwrap_or_default();
                divisors.iter().any(|&divisor| !self.is_nonzero(divisor))
            }
            _ => OPEN.contains(&name) || self.selectors.contains(&symbol.0),
        }
    }

    fn is_nonzero(&self, term: TermId) -> bool {
        match self.script.term(term) {
            Term::Literal(Literal::Numeral | Literal::Decimal, digits) => {
                digits.bytes().any(|digit| matches!(digit, b'1'..=b'9'))
            }
            _ => false,
        }
    }

    /// Takes the term; of a chain of divisions every step.
    fn take(&mut self, term: TermId, around: Option<usize>, lets: &[(TermId, Option<usize>)]) {
        if has_names(self.script, term) {
            return;
        }
        let Term::Application { head, arguments } = self.script.term(term) else {
            return;
        };
        let head = print::identifier(self.script, head);
        match arguments {
            [first, rest @ ..] if rest.len() > 1 && matches!(head.as_str(), "/" | "div") => {
                let mut text = print::term(self.script, *first);
                for &next in rest {
                    text = format!("({head} {text} {})", print::term(self.script, next));
                    self.take_text(text.clone(), around, lets);
                    if text.len() > MOST_BYTES {
                        return;
                    }
                }
            }
            _ => self.take_text(print::term(self.script, term), around, lets),
        }
    }

    /// Writes a term with the lets around it.
    fn take_text(
        &mut self,
        mut text: String,
        around: Option<usize>,
        lets: &[(TermId, Option<usize>)],
    ) {
        let mut at = around;
        while let Some(number) = at {
            let (term, outer) = lets[number];
            let Term::Let { bindings, .. } = self.script.term(term) else {
                return;
            };
            let mut head = String::from("(let (");
            for binding in bindings {
                let name = print::symbol(self.script, binding.symbol);
                let value = print::term(self.script, binding.term);
                head.push_str(&format!("({name} {value})"));
                if head.len() > MOST_BYTES {
                    return;
                }
            }
            text = format!("{head}) {text})");
            at = outer;
        }
        let enough = self.bytes + text.len() > MOST_BYTES || self.texts.len() == MOST_TERMS;
        if !enough && !self.texts.contains(&text) {
            self.bytes += text.len();
            self.texts.push(text);
        }
    }
}

/// True if the term gives a name to a part of itself: it cannot be written
/// again.
fn has_names(script: &Script, term: TermId) -> bool {
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        match script.term(term) {
            Term::Annotated { .. } => return true,
            Term::Bind { binder, .. } if binder != Binder::Lambda => return true,
            _ => script.push_subterms(term, &mut work),
        }
    }
    false
}

/// The values that were printed for some terms, if there is one for each.
pub(super) fn values_of<'a>(terms: &[TermId], values: &'a str) -> Vec<(TermId, &'a str)> {
    match pairs(values) {
        Some(pairs) if pairs.len() == terms.len() => terms.iter().copied().zip(pairs).collect(),
        _ => Vec::new(),
    }
}

/// Takes note of the values that were printed for some terms, inner ones first.
pub(super) fn learn_values(
    script: &mut Script,
    context: &mut Context,
    said: &[(TermId, &str)],
    budget: Budget,
) {
    for &(term, value) in said {
        let Ok(value) = parse_term(script, &rewrite_algebraic(value)) else {
            continue;
        };
        if let Ok(value) = evaluate(script, context, value, Completion::None, budget) {
            learn(script, context, term, value, budget);
        }
    }
}

/// The values of `((term value) …)`.
fn pairs(reply: &str) -> Option<Vec<&str>> {
    let inside = reply.trim().strip_prefix('(')?.strip_suffix(')')?;
    let values = items(inside).into_iter().map(|pair| {
        let inside = pair.strip_prefix('(')?.strip_suffix(')')?;
        match items(inside)[..] {
            [_, value] => Some(value),
            _ => None,
        }
    });
    values.collect()
}
