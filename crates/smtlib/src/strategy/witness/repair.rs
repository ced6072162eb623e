//! Changes to assertions, as small as may be, after which they are true under a
//! witness.
//!
//! Nothing here has to be right: what is made is evaluated afterwards, as a whole.
//! It has to be seldom wrong, and to leave as much as it can of what was there.

use lydite_core::{Choices, Reject};

use crate::eval::{Budget, Completion, Context, evaluate};
use crate::syntax::{Script, TermId, parse_term};
use crate::value::Value;

/// What one evaluation may cost.
const BUDGET: Budget = Budget { steps: 100_000 };

/// How deep connectives are gone into.
const DEPTH: u32 = 12;

/// Comparisons: false one way round, they are often true the other.
const COMPARISONS: &[&str] = &[
    "<", "<=", ">", ">=", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge",
    "fp.lt", "fp.leq", "fp.gt", "fp.geq", "str.<", "str.<=", "str.prefixof", "str.suffixof",
    "str.contains", "set.subset",
];

/// A script and what its names mean under the witness.
pub(super) struct Repair<'a> {
    pub(super) script: &'a mut Script,
    pub(super) context: &'a Context,
    /// Constants and their values, as solvers read them.
    pub(super) known: &'a [(String, String)],
}

impl Repair<'_> {
    /// A term that is true under the witness and has as much as may be of `term`.
    pub(super) fn make_true(
        &mut self,
        term: TermId,
        choices: &mut Choices,
    ) -> Result<TermId, Reject> {
        self.turn(term, true, DEPTH, choices)
    }

    /// A term that is false under the witness, and the same.
    pub(super) fn make_false(
        &mut self,
        term: TermId,
        choices: &mut Choices,
    ) -> Result<TermId, Reject> {
        self.turn(term, false, DEPTH, choices)
    }

    /// True or false, if that is known of a term.
    pub(super) fn truth(&self, term: TermId) -> Option<bool> {
        match evaluate(self.script, self.context, term, Completion::None, BUDGET) {
            Ok(Value::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// Recursion is bounded by `depth`.
    fn turn(
        &mut self,
        term: TermId,
        want: bool,
        depth: u32,
        choices: &mut Choices,
    ) -> Result<TermId, Reject> {
        let truth = self.truth(term);
        if truth == Some(want) {
            return Ok(term);
        }
        let made = match depth {
            0 => None,
            _ => self.turn_inside(term, want, depth - 1, choices)?,
        };
        if let Some(made) = made
            && self.truth(made) == Some(want)
        {
            return Ok(made);
        }
        match truth {
            Some(_) => self.turn_atom(term, want, choices),
            // Whatever it is, it does not count beside this.
            None => {
                let decisive = self.known_fact(want, choices)?;
                let connective = if want { "or" } else { "and" };
                Ok(self.script.make_call(connective, &[term, decisive]))
            }
        }
    }

    /// The same connective with parts that decide it otherwise.
    fn turn_inside(
        &mut self,
        term: TermId,
        want: bool,
        depth: u32,
        choices: &mut Choices,
    ) -> Result<Option<TermId>, Reject> {
        let Some((name, arguments)) = self.script.call(term) else {
            return Ok(None);
        };
        let (name, mut parts) = (name.to_string(), arguments.to_vec());
        let last = parts.len().saturating_sub(1);
        match (name.as_str(), parts.len()) {
            ("not", 1) => parts[0] = self.turn(parts[0], !want, depth, choices)?,
            ("and" | "or", 1..) => {
                // `and` is true if all are, false if one is.
                let all = (name == "and") == want;
                let only = choices.index(parts.len())?;
                for (at, part) in parts.iter_mut().enumerate() {
                    if all || at == only {
                        *part = self.turn(*part, want, depth, choices)?;
                    }
                }
            }
            ("=>", 2..) => {
                let only = choices.index(parts.len())?;
                for (at, part) in parts.iter_mut().enumerate() {
                    let wanted = (at == last) == want;
                    if !want || at == only {
                        *part = self.turn(*part, wanted, depth, choices)?;
                    }
                }
            }
            ("ite", 3) => {
                let taken = self.truth(parts[0]);
                for (at, when) in [(1, true), (2, false)] {
                    if taken.is_none_or(|taken| taken == when) {
                        parts[at] = self.turn(parts[at], want, depth, choices)?;
                    }
                }
            }
            ("xor" | "=", 2) => {
                let Some(first) = self.truth(parts[0]) else {
                    return Ok(None);
                };
                let second = (name == "=") == (first == want);
                parts[1] = self.turn(parts[1], second, depth, choices)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(self.script.with_subterms(term, &parts)))
    }

    /// An atom that is wrong: the other way round, with the value that one side
    /// has, or denied.
    fn turn_atom(
        &mut self,
        term: TermId,
        want: bool,
        choices: &mut Choices,
    ) -> Result<TermId, Reject> {
        let call = self.script.call(term);
        let call = call.map(|(name, parts)| (name.to_string(), parts.to_vec()));
        let candidate = match &call {
            Some((name, parts)) if parts.len() == 2 && choices.chance(1, 2)? => {
                match name.as_str() {
                    "=" if want => self.pinned(*choices.pick(parts)?),
                    "=" => Some(self.script.make_call("distinct", parts)),
                    "distinct" => Some(self.script.make_call("=", parts)),
                    name if COMPARISONS.contains(&name) => {
                        Some(self.script.with_subterms(term, &[parts[1], parts[0]]))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(made) = candidate
            && self.truth(made) == Some(want)
        {
            return Ok(made);
        }
        Ok(match &call {
            Some((name, parts)) if name == "not" && parts.len() == 1 => parts[0],
            _ => self.script.make_call("not", &[term]),
        })
    }

    /// `(= t v)` where v is the value of t, if that can be written.
    fn pinned(&mut self, term: TermId) -> Option<TermId> {
        let value = evaluate(self.script, self.context, term, Completion::None, BUDGET).ok()?;
        // An integer may stand for a real.
        let text = match &value {
            Value::Bool(_) | Value::BitVec(_) | Value::Float(_) | Value::String(_) => {
                value.to_string()
            }
            _ => return None,
        };
        let value = parse_term(self.script, &text).ok()?;
        Some(self.script.make_call("=", &[term, value]))
    }

    /// What is known of a constant, or its contrary; `true` or `false` if
    /// nothing is.
    pub(super) fn known_fact(
        &mut self,
        want: bool,
        choices: &mut Choices,
    ) -> Result<TermId, Reject> {
        let text = match self.known {
            [] => want.to_string(),
            known => {
                let (name, value) = choices.pick(known)?;
                match want {
                    true => format!("(= {name} {value})"),
                    false => format!("(distinct {name} {value})"),
                }
            }
        };
        parse_term(self.script, &text)
            .map_err(|_| Reject::NotApplicable("a value that cannot be written"))
    }
}
