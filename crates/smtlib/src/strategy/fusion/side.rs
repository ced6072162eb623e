//! A seed laid out to be fused: its text in two parts, and for each sort the
//! closed terms that can be fused, with the places where they occur.

use std::collections::BTreeMap;
use std::ops::Range;

use super::flatten::flatten;
use crate::logic::Logic;
use crate::mutate::mutant::{NONE, Original, Unusable};
use crate::mutate::view::View;
use crate::operators::Operators;
use crate::sort::{Sort, SortKind, Sorts};
use crate::syntax::{CommandKind, Literal, Term, TermId, index};
use crate::typing::{Resolved, Role};

/// A stretch of [`Side::body`].
pub(super) type Place = Range<u32>;

/// A seed, or the second of two, ready to be fused.
pub(super) struct Side {
    /// Declarations: what holds no terms. The logic is left out.
    pub(super) head: String,
    /// Definitions and assertions, one a line.
    pub(super) body: String,
    pub(super) commands: Vec<BodyCommand>,
    /// In the order of their sorts' texts.
    pub(super) groups: Vec<Group>,
    /// What the declared logic allows; all if it says nothing that is known.
    pub(super) logic: Logic,
    /// The declared logic's name.
    pub(super) logic_name: String,
    /// The operators whose results the standard leaves open somewhere and
    /// that may be used there, as bits. Two seeds that share one share its
    /// meaning: models of both need not go together.
    pub(super) open: u32,
}

/// A definition or assertion.
pub(super) struct BodyCommand {
    /// All of it, with the line end.
    pub(super) place: Place,
    /// The asserted term; none for a definition.
    pub(super) asserted: Option<Place>,
}

/// The terms of one sort.
pub(super) struct Group {
    pub(super) sort: String,
    /// Constants first, then applications of declared functions, then others.
    pub(super) fusibles: Vec<Fusible>,
    /// How many are constants: the variables of the thesis.
    pub(super) constants: usize,
}

/// A closed term that stands for x or y: no variable is bound around it.
pub(super) struct Fusible {
    pub(super) text: String,
    /// Where it can be replaced, in the order of the text.
    pub(super) places: Vec<Place>,
}

/// Terms of more bytes than this are not fused.
const MAX_FUSIBLE: usize = 100;
/// Not more terms of one sort are considered, beyond the constants.
const MAX_FUSIBLES: usize = 100;

/// Operators that the standard leaves open somewhere. Selectors are left out:
/// those of two seeds are different functions.
const OPEN: [&str; 20] = [
    "/", "div", "mod", "rem", "^", "**", "fp.min", "fp.max", "fp.to_ubv", "fp.to_sbv",
    "fp.to_real", "fp.to_ieee_bv", "seq.nth", "seq.last", "set.choose", "bag.choose",
    "nullable.val", "head", "tail", "int.log2",
];

/// Operators of which an argument may be replaced by something that is no
/// literal, although it was one.
const TAKES_ANYTHING: [&str; 34] = [
    "=", "distinct", "<", "<=", ">", ">=", "+", "ite", "and", "or", "not", "=>", "xor", "select",
    "store", "str.++", "str.len", "str.<", "str.<=", "str.prefixof", "str.suffixof",
    "str.contains", "str.replace", "bvadd", "bvsub", "bvand", "bvor", "bvxor", "bvult", "bvule",
    "bvslt", "bvsle", "fp.lt", "fp.leq",
];

impl Side {
    /// Lays out question number `asked` of a seed; see [`flatten`].
    pub(super) fn read(
        text: &[u8],
        asked: usize,
        suffix: Option<&str>,
        operators: &Operators,
    ) -> Result<Side, Unusable> {
        let text = flatten(text, asked, suffix)?;
        let original = Original::read(text.as_bytes(), operators, View::ANSWERS)?;
        original.stands_alone(operators)?;
        let mut side = Side {
            head: String::new(),
            body: String::new(),
            commands: Vec::new(),
            groups: Vec::new(),
            logic: Logic::ALL,
            logic_name: "ALL".to_string(),
            open: open_operators(&original, operators),
        };
        // Where the body has what stands in the original's text.
        let mut shifts: Vec<Option<(usize, usize)>> = Vec::new();
        for at in 0..original.script.commands.len() {
            shifts.push(side.add_command(&original, at));
        }
        if side
            .commands
            .iter()
            .all(|command| command.asserted.is_none())
        {
            return Err("the seed asserts nothing");
        }
        side.find_anchors(&original, operators, &shifts);
        if side.groups.is_empty() {
            return Err("the seed has no closed term");
        }
        Ok(side)
    }

    /// Copies a command; gives the offsets in the original and in the body.
    fn add_command(&mut self, original: &Original, at: usize) -> Option<(usize, usize)> {
        let kind = &original.script.commands[at].kind;
        let span = original.commands[at].clone();
        match kind {
            CommandKind::SetLogic(name) => {
                self.logic_name = original.script.name(*name).to_string();
                self.logic = Logic::parse(&self.logic_name).unwrap_or(Logic::ALL);
                return None;
            }
            CommandKind::CheckSat(_) | CommandKind::SetOption(_) => return None,
            _ if kind.terms().is_empty() => {
                self.head.push_str(original.command_text(at));
                self.head.push('\n');
                return None;
            }
            _ => {}
        }
        let shift = (span.start, self.body.len());
        self.body.push_str(original.command_text(at));
        self.body.push('\n');
        let asserted = match kind {
            CommandKind::Assert(term) => Some(shifted(original.span(*term), shift)),
            _ => None,
        };
        self.commands.push(BodyCommand {
            place: index(shift.1)..index(self.body.len()),
            asserted,
        });
        Some(shift)
    }

    fn find_anchors(
        &mut self,
        original: &Original,
        operators: &Operators,
        shifts: &[Option<(usize, usize)>],
    ) {
        let kinds = kinds(original);
        let parents = parents(original);
        let mut found: BTreeMap<Sort, BTreeMap<(Kind, &str), Vec<Place>>> = BTreeMap::new();
        for term in original.script.terms() {
            let kind = kinds[term.index()];
            let text = original.term_text(term);
            if kind == Kind::None || original.is_fixed(term) || text.len() > MAX_FUSIBLE {
                continue;
            }
            let parent = parents[term.index()];
            let free = kind != Kind::Value || takes_anything(original, operators, parent);
            let command = original.command(term);
            if let (true, Some(Some(shift))) = (free, shifts.get(command)) {
                let texts = found.entry(original.sort(term)).or_default();
                let places = texts.entry((kind, text)).or_default();
                places.push(shifted(original.span(term), *shift));
            }
        }
        for (sort, texts) in found {
            if !can_be_fused(&original.typed.sorts, sort) {
                continue;
            }
            let constants = texts.keys().filter(|(k, _)| *k == Kind::Constant).count();
            let fusibles = texts.into_iter().take(constants + MAX_FUSIBLES);
            let sort = original.typed.show(&original.script, sort);
            if sort.contains('…') {
                continue;
            }
            self.groups.push(Group {
                sort,
                constants,
                fusibles: fusibles
                    .map(|((_, text), places)| fusible(text, places))
                    .collect(),
            });
        }
        self.groups.sort_by(|a, b| a.sort.cmp(&b.sort));
    }
}

fn fusible(text: &str, mut places: Vec<Place>) -> Fusible {
    places.sort_by_key(|place| place.start);
    Fusible {
        text: text.to_string(),
        places,
    }
}

fn shifted(span: Range<usize>, (from, to): (usize, usize)) -> Place {
    index(span.start - from + to)..index(span.end - from + to)
}

/// What a term is to fusion, simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A declared constant.
    Constant,
    /// A declared function applied to closed terms.
    Application,
    /// Another closed term that is not just a value.
    Other,
    /// A literal, or made of nothing else.
    Value,
    /// Not closed, or not to be replaced.
    None,
}

fn kinds(original: &Original) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::with_capacity(original.script.term_count());
    for term in original.script.terms() {
        kinds.push(kind_of(original, term, &kinds));
    }
    kinds
}

fn kind_of(original: &Original, term: TermId, kinds: &[Kind]) -> Kind {
    let arguments = match original.script.term(term) {
        Term::Literal(..) => return Kind::Value,
        Term::Application { arguments, .. } => arguments,
        _ => return Kind::None,
    };
    let of_arguments = || arguments.iter().map(|argument| kinds[argument.index()]);
    if original.need(term) != NONE || of_arguments().any(|kind| kind == Kind::None) {
        return Kind::None;
    }
    let values = of_arguments().all(|kind| kind == Kind::Value);
    let by_arguments = if values { Kind::Value } else { Kind::Other };
    match original.typed.resolved(term) {
        Resolved::Literal => Kind::Value,
        Resolved::Operator(_) | Resolved::Tester(_) => by_arguments,
        Resolved::Function(id) => match original.typed.function(id).role {
            Role::Declared if arguments.is_empty() => Kind::Constant,
            Role::Declared => Kind::Application,
            Role::Constructor { .. } | Role::Selector { .. } => by_arguments,
            // A definition may come after the place that mentions it.
            Role::Defined { .. } | Role::Named(_) => Kind::None,
        },
        _ => Kind::None,
    }
}

fn parents(original: &Original) -> Vec<Option<TermId>> {
    let mut parents = vec![None; original.script.term_count()];
    let mut subterms = Vec::new();
    for term in original.script.terms() {
        subterms.clear();
        original.script.push_subterms(term, &mut subterms);
        for subterm in &subterms {
            parents[subterm.index()] = Some(term);
        }
    }
    parents
}

fn takes_anything(original: &Original, operators: &Operators, parent: Option<TermId>) -> bool {
    let Some(operator) = parent.and_then(|parent| original.operator(parent)) else {
        return false;
    };
    TAKES_ANYTHING.contains(&operators.get(operator).name.as_str())
}

/// False for sorts that have no variables, or of which solvers allow no arrays
/// or conditionals.
fn can_be_fused(sorts: &Sorts, sort: Sort) -> bool {
    let plain = |sort: Sort| {
        !matches!(
            sorts.kind(sort),
            SortKind::RegLan | SortKind::Function(_) | SortKind::WideArray(_) | SortKind::Unknown
        )
    };
    if sorts.is_open(sort) {
        return false;
    }
    let mut work = vec![sort];
    while let Some(sort) = work.pop() {
        if !plain(sort) {
            return false;
        }
        work.extend_from_slice(sorts.kind(sort).parts());
    }
    true
}

fn open_operators(original: &Original, operators: &Operators) -> u32 {
    let mut open = 0;
    for term in original.script.terms() {
        let Some(operator) = original.operator(term) else {
            continue;
        };
        let name = operators.get(operator).name.as_str();
        let Some(at) = OPEN.iter().position(|open| *open == name) else {
            continue;
        };
        let divides = matches!(name, "/" | "div" | "mod" | "rem");
        if !(divides && divides_by_numbers(original, term)) {
            open |= 1 << at;
        }
    }
    open
}

/// True if all divisors are literals other than zero.
fn divides_by_numbers(original: &Original, term: TermId) -> bool {
    let Term::Application { arguments, .. } = original.script.term(term) else {
        return false;
    };
    let nonzero = |&divisor: &TermId| match original.script.term(divisor) {
        Term::Literal(Literal::Numeral | Literal::Decimal, digits) => {
            digits.bytes().any(|digit| matches!(digit, b'1'..=b'9'))
        }
        _ => false,
    };
    arguments.len() > 1 && arguments[1..].iter().all(nonzero)
}
