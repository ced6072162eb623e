//! Terms with metavariables: the two sides of a rule.

use crate::operators::Operators;
use crate::sort::{Sort, SortKind, SortTable, Sorts, Values};
use crate::syntax::{Binder, IdentifierId, Literal, Script, Term, TermId, parse_term};
use crate::table::{SortText, Words};

/// How many metavariables a rule may have.
pub(super) const MAX_VARIABLES: usize = 10;

/// The letters that stand for sorts in the declarations of metavariables, and
/// which sorts each may be.
pub(super) const LETTERS: [(&str, Class); 6] = [
    ("N", Class::Number),
    ("V", Class::BitVec),
    ("F", Class::Float),
    ("A", Class::Any),
    ("I", Class::Any),
    ("E", Class::Any),
];

/// Which sorts a letter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Int or Real.
    Number,
    /// Any bit-vector.
    BitVec,
    /// Any float.
    Float,
    /// Any sort that has an equality all solvers know.
    Any,
}

/// The sort of a metavariable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SortPattern {
    /// Of all scripts.
    Fixed(Sort),
    /// What the letter stands for.
    Letter(usize),
    /// `(Array I E)`, `(Seq E)`, …: such values, of what the letters stand for
    Made(Values, Vec<usize>),
}

/// A metavariable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// Its name in the table.
    pub(super) name: String,
    /// What it stands for.
    pub(super) sort: SortPattern,
    /// True if it stands for positive literals only.
    pub(super) literal: bool,
    /// True for `p..`: it stands for any number of arguments.
    pub(super) many: bool,
}

/// What the letters stand for in one place of a script.
pub(super) type Letters = [Option<Sort>; LETTERS.len()];

/// One side of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// A metavariable.
    Variable(usize),
    /// A metavariable for any number of arguments.
    Many(usize),
    /// A number of the rule's sort of numbers: Int, if it has none.
    Number(i64),
    /// A string or binary literal, as written.
    Text(String),
    /// An operator of the table.
    Apply {
        /// Its number among the heads of all rules.
        head: usize,
        /// As it is written, with its indices.
        text: String,
        /// True if it has indices.
        indexed: bool,
        /// The arguments.
        arguments: Vec<Pattern>,
    },
    /// `(forall ((.. U)) p)`: a quantifier over any variables.
    Quantifier {
        /// `forall` or `exists`.
        word: &'static str,
        /// What it says of them.
        body: Box<Pattern>,
    },
    /// `(exists ((b Bool)) p)`: a quantifier over one new variable.
    Fresh {
        /// `forall` or `exists`.
        word: &'static str,
        /// The sort of the variable, as written.
        sort: String,
        /// What it says of it.
        body: Box<Pattern>,
    },
    /// The new variable.
    Bound(Sort),
}

impl SortPattern {
    /// Reads the sort of a `vars` line.
    pub(super) fn read(text: &str, table: &SortTable) -> Result<SortPattern, String> {
        let mut words = Words::new(text);
        let sort = words.sort()?;
        if !words.is_done() {
            return Err(format!("unknown sort `{text}`"));
        }
        let letter = |sort: &SortText<'_>| {
            let at = LETTERS.iter().position(|(known, _)| *known == sort.name);
            at.filter(|_| sort.is_bare())
                .ok_or_else(|| format!("unknown sort `{}`", sort.name))
        };
        if sort.letter().is_some() {
            return letter(&sort).map(SortPattern::Letter);
        }
        let row = sort.row(table)?;
        let mut parts = Vec::new();
        for part in &sort.parts {
            parts.push(SortPattern::Letter(letter(part)?));
        }
        row.make(&sort.numbers, &parts, &mut |values, numbers, parts| {
            if let Some(sort) = values.simple() {
                return Ok(SortPattern::Fixed(sort));
            }
            let letter = |part: &SortPattern| match part {
                SortPattern::Letter(at) => Some(*at),
                _ => None,
            };
            let letters: Option<Vec<usize>> = parts.iter().map(letter).collect();
            match letters.filter(|_| numbers.is_empty()) {
                Some(letters) => Ok(SortPattern::Made(values.clone(), letters)),
                None => Err(format!("`{text}` is no sort of a metavariable")),
            }
        })
    }

    /// True if a term of this sort can stand for the metavariable; binds
    /// letters that stand for nothing yet.
    pub(super) fn admits(&self, sort: Sort, sorts: &Sorts, letters: &mut Letters) -> bool {
        match (self, sorts.kind(sort)) {
            (SortPattern::Fixed(fixed), _) => *fixed == sort,
            (SortPattern::Letter(letter), _) => bind(*letter, sort, sorts, letters),
            (SortPattern::Made(values, own), kind) => {
                let mut parts = own.iter().zip(kind.parts());
                kind.has(values) && parts.all(|(&at, &part)| bind(at, part, sorts, letters))
            }
        }
    }

    /// The sort that it is where the letters are bound; none if the script
    /// does not have it.
    pub(super) fn instance(&self, letters: &Letters) -> Option<Sort> {
        match self {
            SortPattern::Fixed(sort) => Some(*sort),
            SortPattern::Letter(letter) => letters[*letter],
            // Arrays, sequences and sets are matched, never made up.
            _ => None,
        }
    }
}

fn bind(letter: usize, sort: Sort, sorts: &Sorts, letters: &mut Letters) -> bool {
    if let Some(bound) = letters[letter] {
        return bound == sort;
    }
    let kind = sorts.kind(sort);
    let fits = match LETTERS[letter].1 {
        Class::Number => matches!(kind, SortKind::Int | SortKind::Real),
        Class::BitVec => matches!(kind, SortKind::BitVec(_)),
        Class::Float => matches!(kind, SortKind::Float(..)),
        Class::Any => {
            !matches!(kind, SortKind::RegLan | SortKind::Function(_)) && !sorts.is_open(sort)
        }
    };
    if fits {
        letters[letter] = Some(sort);
    }
    fits
}

/// What the metavariables and heads of rules are numbered by.
pub(super) struct Reader<'a> {
    /// The operators there are.
    pub(super) operators: &'a Operators,
    /// The metavariables that may be used, without their `many`.
    pub(super) declared: &'a [Variable],
    /// The heads of all rules so far.
    pub(super) heads: &'a mut Vec<String>,
    /// The metavariables of this rule so far.
    pub(super) variables: Vec<Variable>,
}

impl Reader<'_> {
    /// Reads one side of a rule.
    pub(super) fn read(&mut self, text: &str) -> Result<Pattern, String> {
        let mut script = Script::default();
        let term = parse_term(&mut script, text).map_err(|error| error.problem.to_string())?;
        self.pattern(&script, term, None)
    }

    /// Recursion is over the text of one line.
    fn pattern(
        &mut self,
        script: &Script,
        term: TermId,
        bound: Option<(&str, Sort)>,
    ) -> Result<Pattern, String> {
        match script.term(term) {
            Term::Literal(Literal::Numeral, digits) => {
                let value = digits.parse().map_err(|_| "a number too large")?;
                Ok(Pattern::Number(value))
            }
            Term::Literal(Literal::String, text) => Ok(Pattern::Text(format!("\"{text}\""))),
            Term::Literal(Literal::Binary, text) => Ok(Pattern::Text(text.to_string())),
            Term::Application { head, arguments } => {
                let name = script.name(script.identifier(head).symbol);
                if arguments.is_empty() {
                    if let Some((variable, sort)) = bound
                        && variable == name
                    {
                        return Ok(Pattern::Bound(sort));
                    }
                    if let Some(variable) = self.variable(name)? {
                        return Ok(variable);
                    }
                }
                self.application(script, head, arguments, bound)
            }
            Term::Bind {
                binder: binder @ (Binder::Forall | Binder::Exists),
                variables: [variable],
                body,
            } => {
                let word = if binder == Binder::Forall {
                    "forall"
                } else {
                    "exists"
                };
                let name = script.name(variable.symbol);
                if name == ".." {
                    let body = Box::new(self.pattern(script, body, bound)?);
                    return Ok(Pattern::Quantifier { word, body });
                }
                let sort = crate::print::sort(script, variable.sort);
                let SortPattern::Fixed(id) = SortPattern::read(&sort, self.operators.sorts())?
                else {
                    return Err(format!("a new variable of sort `{sort}`"));
                };
                let body = Box::new(self.pattern(script, body, Some((name, id)))?);
                Ok(Pattern::Fresh { word, sort, body })
            }
            _ => Err("a form that rules do not have".to_string()),
        }
    }

    fn variable(&mut self, name: &str) -> Result<Option<Pattern>, String> {
        let (stem, many) = match name.strip_suffix("..") {
            Some(stem) => (stem, true),
            None => (name, false),
        };
        let Some(declared) = self.declared.iter().find(|v| v.name == stem) else {
            return Ok(None);
        };
        let known = self.variables.iter().position(|v| v.name == name);
        let at = match known {
            Some(at) => at,
            None => {
                self.variables.push(Variable {
                    name: name.to_string(),
                    many,
                    ..declared.clone()
                });
                self.variables.len() - 1
            }
        };
        match (at < MAX_VARIABLES, many) {
            (false, _) => Err(format!("more than {MAX_VARIABLES} metavariables")),
            (_, true) => Ok(Some(Pattern::Many(at))),
            (_, false) => Ok(Some(Pattern::Variable(at))),
        }
    }

    fn application(
        &mut self,
        script: &Script,
        head: IdentifierId,
        arguments: &[TermId],
        bound: Option<(&str, Sort)>,
    ) -> Result<Pattern, String> {
        let name = script.name(script.identifier(head).symbol);
        let Some(&first) = self.operators.named(name).first() else {
            return Err(format!(
                "`{name}` is neither a metavariable nor an operator"
            ));
        };
        let canonical = self.operators.get(first).name.clone();
        let known = self.heads.iter().position(|head| *head == canonical);
        let number = known.unwrap_or_else(|| {
            self.heads.push(canonical);
            self.heads.len() - 1
        });
        let indexed = !script.identifier(head).indices.is_empty();
        let read = |&argument: &TermId| self.pattern(script, argument, bound);
        Ok(Pattern::Apply {
            head: number,
            text: crate::print::identifier(script, head),
            indexed,
            arguments: arguments.iter().map(read).collect::<Result<_, _>>()?,
        })
    }
}

impl Pattern {
    /// How often each metavariable occurs.
    pub(super) fn uses(&self, counts: &mut [u8; MAX_VARIABLES]) {
        match self {
            Pattern::Variable(at) | Pattern::Many(at) => {
                counts[*at] = counts[*at].saturating_add(1)
            }
            Pattern::Apply { arguments, .. } => {
                arguments.iter().for_each(|argument| argument.uses(counts));
            }
            Pattern::Quantifier { body, .. } | Pattern::Fresh { body, .. } => body.uses(counts),
            Pattern::Number(_) | Pattern::Text(_) | Pattern::Bound(_) => {}
        }
    }

    /// True if a quantifier over new variables is in it: such a pattern is
    /// made, not matched.
    pub(super) fn has_fresh(&self) -> bool {
        match self {
            Pattern::Fresh { .. } => true,
            Pattern::Apply { arguments, .. } => arguments.iter().any(Pattern::has_fresh),
            Pattern::Quantifier { body, .. } => body.has_fresh(),
            _ => false,
        }
    }
}
