//! The operators that strategies make terms with: those of the table that all
//! wanted solvers know, less those of `cautions.txt`.

mod instances;

use std::collections::BTreeMap;

use lydite_core::{OpenError, Setting, Settings};

use crate::mutate::mutant::Original;
use crate::operators::{Operator, OperatorId, Operators, Pattern, Speaker};
use crate::sort::{Sort, Sorts};
use crate::syntax::{CommandKind, Term};

pub(crate) use instances::{Class, Instance, Supply, calls, makers};

const CAUTIONS: &str = include_str!("cautions.txt");

/// The setting that says who has to know an operator.
pub(crate) const SPEAKERS: Setting = Setting::value(
    "speakers",
    "shared",
    "operators to use: shared (by z3 and cvc5), old (shared for years), z3, cvc5, bitwuzla, all",
);

/// What to take care of with one operator.
#[derive(Clone, Debug, Default)]
struct Caution {
    off: bool,
    young: bool,
    binary: bool,
    literal: Vec<String>,
    without: Vec<String>,
}

/// The operators to use.
pub(crate) struct Repertoire {
    /// In the order of the table.
    usable: Vec<OperatorId>,
    /// The names of these, each once, in that order.
    names: Vec<OperatorId>,
    cautions: Vec<Caution>,
}

impl Repertoire {
    /// Those that the setting `speakers` asks for.
    pub(crate) fn open(
        operators: &Operators,
        settings: &Settings,
    ) -> Result<Repertoire, OpenError> {
        let speakers = settings.get(SPEAKERS.key).unwrap_or(SPEAKERS.default);
        let known: &[Speaker] = match speakers {
            "shared" | "old" => &[Speaker::All],
            "z3" => &[Speaker::All, Speaker::Z3],
            "cvc5" => &[Speaker::All, Speaker::Cvc5],
            "bitwuzla" => &[Speaker::All, Speaker::Bitwuzla],
            "all" => &[Speaker::All, Speaker::Z3, Speaker::Cvc5, Speaker::Bitwuzla],
            other => {
                return Err(OpenError::BadSetting {
                    key: SPEAKERS.key.to_string(),
                    value: other.to_string(),
                    expected: "shared, old, z3, cvc5, bitwuzla or all".to_string(),
                });
            }
        };
        let table = cautions();
        let cautions: Vec<Caution> = operators
            .iter()
            .map(|(_, operator)| table.get(&head(operator)).cloned().unwrap_or_default())
            .collect();
        let usable = |id: OperatorId, operator: &Operator| {
            let caution = &cautions[id.index()];
            known.contains(&operator.speaker)
                && !caution.off
                && (!caution.young || speakers != "old")
                && !operator.parameters.iter().any(Pattern::is_function)
        };
        let usable: Vec<OperatorId> = operators
            .iter()
            .filter(|(id, operator)| usable(*id, operator))
            .map(|(id, _)| id)
            .collect();
        let first = |&id: &OperatorId| {
            let name = &operators.get(id).name;
            let same = |&other: &OperatorId| operators.get(other).name == *name;
            operators.get(id).indices.is_empty() && usable.iter().copied().find(same) == Some(id)
        };
        Ok(Repertoire {
            names: usable.iter().copied().filter(first).collect(),
            usable,
            cautions,
        })
    }

    /// True if the operator takes no more arguments than its signature has.
    fn is_binary(&self, id: OperatorId) -> bool {
        self.cautions[id.index()].binary
    }

    /// True if the operator is one of these.
    pub(crate) fn has(&self, id: OperatorId) -> bool {
        self.usable.binary_search(&id).is_ok()
    }

    /// True if the cautions allow an argument of this sort, which may be a
    /// literal.
    pub(crate) fn takes(&self, id: OperatorId, sort: Sort, literal: bool, sorts: &Sorts) -> bool {
        !self.shuns(id, sort, sorts) && (literal || !self.wants_literal(id, sort, sorts))
    }

    /// True if arguments of this sort have to be literals.
    fn wants_literal(&self, id: OperatorId, sort: Sort, sorts: &Sorts) -> bool {
        let literal = &self.cautions[id.index()].literal;
        literal
            .iter()
            .any(|name| name == "*" || is_named(name, sort, sorts))
    }

    /// True if arguments of some sort have to be literals.
    pub(crate) fn wants_literals(&self, id: OperatorId) -> bool {
        !self.cautions[id.index()].literal.is_empty()
    }

    /// True if the operator does not go with an argument of this sort.
    fn shuns(&self, id: OperatorId, sort: Sort, sorts: &Sorts) -> bool {
        let without = &self.cautions[id.index()].without;
        without.iter().any(|name| is_named(name, sort, sorts))
    }

    /// For each term whether it has to stay as it is: where a literal is
    /// wanted, in patterns, and in what is assumed for one question.
    pub(crate) fn frozen(&self, original: &Original) -> Vec<bool> {
        let mut frozen = vec![false; original.script.term_count()];
        for command in &original.script.commands {
            let assumed = matches!(
                command.kind,
                CommandKind::CheckSat(_) | CommandKind::CheckSatAssuming(_)
            );
            for term in command.kind.terms() {
                frozen[term.index()] = assumed;
            }
        }
        let mut subterms = Vec::new();
        // A term's number is greater than those of its subterms.
        for term in original.script.terms().rev() {
            subterms.clear();
            original.script.push_subterms(term, &mut subterms);
            for &child in &subterms {
                let wanted = original.operator(term).is_some_and(|id| {
                    self.wants_literal(id, original.sort(child), &original.typed.sorts)
                });
                frozen[child.index()] |=
                    frozen[term.index()] || wanted || original.is_in_pattern(child);
            }
        }
        frozen
    }

    /// True if the script gives the operator's name to something of its own.
    fn is_taken(operator: &Operator, taken: &[&str]) -> bool {
        taken.binary_search(&operator.name.as_str()).is_ok()
    }
}

/// The names that a script declares itself, sorted.
pub(crate) fn declared_names(original: &Original) -> Vec<&str> {
    let functions = original
        .typed
        .functions
        .iter()
        .map(|function| function.symbol);
    let locals = original.locals.variables.iter().map(|local| local.symbol);
    let mut names: Vec<&str> = functions
        .chain(locals)
        .map(|symbol| original.script.name(symbol))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// True if a term of the original is a literal.
pub(crate) fn is_literal(original: &Original, term: crate::syntax::TermId) -> bool {
    matches!(original.script.term(term), Term::Literal(..))
}

fn is_named(name: &str, sort: Sort, sorts: &Sorts) -> bool {
    sorts.show(sort, &|_| String::new()) == name
}

/// How the table of cautions names an operator.
fn head(operator: &Operator) -> String {
    match operator.indices.is_empty() {
        true => operator.name.clone(),
        false => format!("(_ {})", operator.name),
    }
}

fn cautions() -> BTreeMap<String, Caution> {
    let mut table: BTreeMap<String, Caution> = BTreeMap::new();
    for line in CAUTIONS.lines() {
        let line = line.split(';').next().unwrap_or_default().trim();
        let (head, rule) = match line.split_once(") ") {
            Some((head, rule)) => (format!("{head})"), rule),
            None => match line.split_once(' ') {
                Some((head, rule)) => (head.to_string(), rule),
                None => continue,
            },
        };
        let mut words = rule.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let sorts = words.map(str::to_string);
        let caution = table.entry(head).or_default();
        match kind {
            "off" => caution.off = true,
            "young" => caution.young = true,
            "binary" => caution.binary = true,
            "literal" => caution.literal.extend(sorts),
            "without" => caution.without.extend(sorts),
            other => unreachable!("cautions.txt has `{other}`; a test reads it"),
        }
    }
    table
}

#[cfg(test)]
mod tests;
