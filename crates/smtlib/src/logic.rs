//! Logics by what they allow, and the least one that allows a changed script.
//!
//! A mutant of a `QF_LIA` seed that multiplies two variables is refused by
//! solvers that take the logic at its word, and with `ALL` instead, the parts
//! of a solver that are made for one logic are never seen. So the declared
//! logic is widened, and only as far as it must be.

use crate::mutate::mutant::{Mutant, NodeId};
use crate::operators::Operators;
use crate::sort::{Sort, SortKind};
use crate::syntax::{Binder, CommandKind, Literal, Term};
use crate::typing::Resolved;

/// What a logic allows, as a set of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Logic(u16);

impl Logic {
    /// Constants, no quantifier, no theory.
    pub(crate) const NOTHING: Logic = Logic(0);
    /// Quantifiers.
    pub(crate) const QUANTIFIERS: Logic = Logic(1);
    /// Functions and sorts without meaning.
    pub(crate) const FUNCTIONS: Logic = Logic(1 << 1);
    /// Arrays.
    pub(crate) const ARRAYS: Logic = Logic(1 << 2);
    /// Bit-vectors.
    pub(crate) const BIT_VECTORS: Logic = Logic(1 << 3);
    /// Floats.
    pub(crate) const FLOATS: Logic = Logic(1 << 4);
    /// Datatypes.
    pub(crate) const DATATYPES: Logic = Logic(1 << 5);
    /// Strings and regular expressions.
    pub(crate) const STRINGS: Logic = Logic(1 << 6);
    /// Integers, of which differences can be compared.
    pub(crate) const INTS: Logic = Logic(1 << 7);
    /// Reals, of which differences can be compared.
    pub(crate) const REALS: Logic = Logic(1 << 8);
    /// Sums of any kind.
    pub(crate) const LINEAR: Logic = Logic(1 << 9);
    /// Products of variables.
    pub(crate) const NONLINEAR: Logic = Logic(1 << 10);
    /// What no logic but `ALL` allows.
    pub(crate) const OTHER: Logic = Logic(1 << 11);
    /// Everything.
    pub(crate) const ALL: Logic = Logic((1 << 12) - 1);

    /// What either allows.
    pub(crate) const fn join(self, other: Logic) -> Logic {
        Logic(self.0 | other.0)
    }

    /// True if it allows all that `other` allows.
    pub(crate) const fn covers(self, other: Logic) -> bool {
        self.0 & other.0 == other.0
    }

    /// Reads a logic's name; none if it is made up of unknown parts.
    pub(crate) fn parse(name: &str) -> Option<Logic> {
        if name == "ALL" || name == "ALL_SUPPORTED" {
            return Some(Logic::ALL);
        }
        let mut rest = name;
        let mut logic = Logic::NOTHING;
        match rest.strip_prefix("QF_") {
            Some(after) => rest = after,
            None => logic = logic.join(Logic::QUANTIFIERS),
        }
        for &(part, features) in PARTS {
            if let Some(after) = rest.strip_prefix(part) {
                rest = after;
                logic = logic.join(features);
            }
        }
        (rest.is_empty() && !name.is_empty()).then_some(logic)
    }

    /// The name of the least logic with a name that allows all this.
    pub(crate) fn name(self) -> String {
        if self.covers(Logic::OTHER) {
            return "ALL".to_string();
        }
        let mut name = String::new();
        if !self.covers(Logic::QUANTIFIERS) {
            name.push_str("QF_");
        }
        let alone = self.0 & !(Logic::QUANTIFIERS.0 | Logic::ARRAYS.0) == 0;
        for (features, part) in [
            (Logic::ARRAYS, if alone { "AX" } else { "A" }),
            (Logic::FUNCTIONS, "UF"),
            (Logic::BIT_VECTORS, "BV"),
            (Logic::FLOATS, "FP"),
            (Logic::DATATYPES, "DT"),
            (Logic::STRINGS, "S"),
        ] {
            if self.covers(features) {
                name.push_str(part);
            }
        }
        name.push_str(self.arithmetic());
        match name.as_str() {
            // Propositional, or quantified over booleans alone.
            "" | "QF_" => format!("{name}UF"),
            // z3 knows strings by these names and no other.
            "QF_S" | "QF_SLIA" | "QF_SNIA" => name,
            _ if self.covers(Logic::STRINGS) => "ALL".to_string(),
            _ => name,
        }
    }

    fn arithmetic(self) -> &'static str {
        let has = |feature: Logic| self.covers(feature);
        let (ints, reals) = (has(Logic::INTS), has(Logic::REALS));
        let least = Logic::QUANTIFIERS.join(Logic::FUNCTIONS);
        let others = self.0 & !(least.0 | Logic::INTS.0 | Logic::REALS.0) != 0;
        match (ints, reals, has(Logic::NONLINEAR)) {
            (false, false, _) => "",
            (true, false, false) if has(Logic::STRINGS) && !has(Logic::LINEAR) => "",
            (true, true, true) => "NIRA",
            (true, true, false) => "LIRA",
            (true, false, true) => "NIA",
            (false, true, true) => "NRA",
            // The logics of differences come alone or with functions.
            (true, false, false) if !others => "IDL",
            (false, true, false) if !others => "RDL",
            (true, false, false) => "LIA",
            (false, true, false) => "LRA",
        }
    }
}

/// The parts of a name in the order in which they come. `S` allows lengths, but
/// no arithmetic: cvc5 does not know `-` in `QF_S`. `FP` has no bit-vectors for
/// z3.
const PARTS: &[(&str, Logic)] = &[
    ("AX", Logic::ARRAYS),
    ("A", Logic::ARRAYS),
    ("UF", Logic::FUNCTIONS),
    ("BV", Logic::BIT_VECTORS),
    ("FP", Logic::FLOATS),
    ("DT", Logic::DATATYPES),
    ("S", Logic::STRINGS.join(Logic::INTS)),
    ("IDL", Logic::INTS),
    ("RDL", Logic::REALS),
    ("LIA", LINEAR_INTS),
    ("LRA", LINEAR_REALS),
    ("LIRA", LINEAR_INTS.join(LINEAR_REALS)),
    ("NIA", LINEAR_INTS.join(Logic::NONLINEAR)),
    ("NRA", LINEAR_REALS.join(Logic::NONLINEAR)),
    (
        "NIRA",
        LINEAR_INTS.join(LINEAR_REALS).join(Logic::NONLINEAR),
    ),
];

/// What solvers know of in Horn clauses.
const HORN: Logic = LINEAR_INTS
    .join(LINEAR_REALS)
    .join(Logic::NONLINEAR)
    .join(Logic::QUANTIFIERS)
    .join(Logic::FUNCTIONS)
    .join(Logic::ARRAYS)
    .join(Logic::BIT_VECTORS)
    .join(Logic::DATATYPES);

const LINEAR_INTS: Logic = Logic::INTS.join(Logic::LINEAR);
const LINEAR_REALS: Logic = Logic::REALS.join(Logic::LINEAR);

/// Declares the least logic that allows what was changed in the mutant, if the
/// declared one does not.
pub(crate) fn fit(mutant: &mut Mutant<'_>, operators: &Operators) {
    let original = mutant.original();
    let declared = original.script.commands.iter().enumerate();
    let mut declared = declared.filter_map(|(at, command)| match command.kind {
        CommandKind::SetLogic(name) => Some((at, original.script.name(name))),
        _ => None,
    });
    let Some((command, name)) = declared.next() else {
        return;
    };
    let allowed = Logic::parse(name).unwrap_or(Logic::NOTHING);
    if allowed == Logic::ALL {
        return;
    }
    let mut used = Logic::NOTHING;
    for node in mutant.touched() {
        // Whether a factor is a constant shows two levels down: `(* (- 2) x)`.
        let around = std::iter::successors(Some(node), |&node| mutant.parent(node));
        for node in around.take(3) {
            used = used.join(used_at(mutant, node, operators));
        }
    }
    // Horn clauses are no theory: what is not one is not answered, that is all.
    if name == "HORN" && HORN.covers(used) {
        return;
    }
    if !allowed.covers(used) {
        let name = match Logic::parse(name) {
            Some(allowed) => allowed.join(used).name(),
            None => "ALL".to_string(),
        };
        mutant.replace_command(command, format!("(set-logic {name})"));
    }
}

/// What a whole mutant takes.
pub(crate) fn used(mutant: &Mutant<'_>, operators: &Operators) -> Logic {
    let terms = mutant.original().script.terms();
    terms.fold(Logic::NOTHING, |sum, term| {
        sum.join(used_at(mutant, term.into(), operators))
    })
}

/// What one changed node takes, its subterms aside.
fn used_at(mutant: &Mutant<'_>, node: NodeId, operators: &Operators) -> Logic {
    let mut used = of_sort(mutant, mutant.sort(node));
    for &child in mutant.children(node) {
        used = used.join(of_sort(mutant, mutant.sort(child)));
    }
    if let Some(operator) = mutant.operator(node) {
        let operator = operators.get(operator);
        used = used.join(match operator.theory.as_str() {
            "ints" | "reals" => arithmetic(mutant, node, &operator.name),
            "core" | "bitvectors" | "floats" | "arrays" | "strings" | "regex" => Logic::NOTHING,
            _ => Logic::OTHER,
        });
        return used;
    }
    let binder = match mutant.head(node) {
        "forall" | "exists" => Logic::QUANTIFIERS,
        head if head.starts_with("forall ") || head.starts_with("exists ") => Logic::QUANTIFIERS,
        _ => Logic::NOTHING,
    };
    used.join(binder).join(match mutant.term(node) {
        Some(Term::Bind {
            binder: Binder::Lambda | Binder::Choice | Binder::Comprehension,
            ..
        }) => Logic::OTHER,
        Some(Term::Application { arguments, .. }) if !arguments.is_empty() => {
            let origin = mutant
                .origin(node)
                .map(|term| mutant.original().typed.resolved(term));
            match origin {
                Some(Resolved::Function(_)) => Logic::FUNCTIONS,
                _ => Logic::NOTHING,
            }
        }
        // A made application of something that is not in the table.
        None if !mutant.children(node).is_empty() && binder == Logic::NOTHING => Logic::FUNCTIONS,
        _ => Logic::NOTHING,
    })
}

fn of_sort(mutant: &Mutant<'_>, sort: Sort) -> Logic {
    let typed = &mutant.original().typed;
    let simple = |kind: &SortKind| match kind {
        SortKind::Bool => Logic::NOTHING,
        SortKind::Int => Logic::INTS,
        SortKind::Real => Logic::REALS,
        SortKind::String | SortKind::RegLan => Logic::STRINGS,
        SortKind::BitVec(_) => Logic::BIT_VECTORS,
        SortKind::Float(..) | SortKind::RoundingMode => Logic::FLOATS,
        SortKind::Array(..) => Logic::ARRAYS,
        SortKind::Named(id, _) => match typed.declaration(*id).constructors {
            Some(_) => Logic::DATATYPES,
            None => Logic::NOTHING,
        },
        _ => Logic::OTHER,
    };
    let kind = typed.sorts.kind(sort);
    let mut used = simple(kind);
    // Most sorts have no parts.
    if kind.parts().is_empty() {
        return used;
    }
    let mut work = vec![sort];
    while let Some(sort) = work.pop() {
        let kind = typed.sorts.kind(sort);
        used = used.join(simple(kind));
        work.extend_from_slice(kind.parts());
    }
    used
}

/// What an arithmetic operator takes: whether it multiplies unknowns.
fn arithmetic(mutant: &Mutant<'_>, node: NodeId, name: &str) -> Logic {
    let children = mutant.children(node);
    let unknowns = children
        .iter()
        .filter(|&&c| !is_constant(mutant, c))
        .count();
    let nonlinear = match name {
        "*" => unknowns > 1,
        "div" | "mod" | "/" | "rem" => children[1..]
            .iter()
            .any(|&divisor| !is_constant(mutant, divisor) || is_zero(mutant, divisor)),
        "+" | "-" | "abs" | "<" | "<=" | ">" | ">=" | "divisible" => false,
        // Known only where there are both.
        "to_real" | "to_int" | "is_int" => {
            return Logic::LINEAR.join(Logic::INTS).join(Logic::REALS);
        }
        _ => return Logic::OTHER,
    };
    match nonlinear {
        true => Logic::LINEAR.join(Logic::NONLINEAR),
        false => Logic::LINEAR,
    }
}

/// `5`, `2.5`, `(- 5)`, `(/ 1 3)`.
fn is_constant(mutant: &Mutant<'_>, node: NodeId) -> bool {
    let literal = |node: NodeId| match mutant.term(node) {
        Some(Term::Literal(Literal::Numeral | Literal::Decimal, _)) => true,
        Some(_) => false,
        None => mutant.head(node).starts_with(|c: char| c.is_ascii_digit()),
    };
    let children = mutant.children(node);
    let constant = matches!((mutant.head(node), children.len()), ("-", 1) | ("/", 2));
    literal(node) || constant && children.iter().all(|&child| literal(child))
}

fn is_zero(mutant: &Mutant<'_>, node: NodeId) -> bool {
    let head = mutant.head(node);
    head.bytes().all(|byte| matches!(byte, b'0' | b'.'))
        || head == "-"
            && mutant
                .children(node)
                .iter()
                .all(|&c| is_zero_leaf(mutant, c))
}

fn is_zero_leaf(mutant: &Mutant<'_>, node: NodeId) -> bool {
    mutant
        .head(node)
        .bytes()
        .all(|byte| matches!(byte, b'0' | b'.'))
}

/// A logic that has values of its sorts, comparisons and definitions.
pub(crate) fn wider(logic: &str) -> String {
    match logic {
        "HORN" => "ALL".to_string(),
        "QF_S" => "QF_SLIA".to_string(),
        other => other.replace("IDL", "LIA").replace("RDL", "LRA"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::mutant::Original;
    use crate::mutate::view::View;

    #[test]
    fn names_are_read_and_written() {
        for name in [
            "QF_UF", "QF_AX", "QF_BV", "QF_ABV", "QF_AUFBV", "QF_IDL", "QF_RDL", "QF_UFIDL",
            "QF_LIA", "QF_LRA", "QF_NIA", "QF_NRA", "QF_LIRA", "QF_NIRA", "QF_ALIA", "QF_AUFLIA",
            "QF_ANIA", "LIA", "LRA", "NRA", "UF", "UFLIA", "AUFLIRA", "AUFNIRA", "AUFDTLIA",
            "QF_UFDT", "ALL",
        ] {
            assert_eq!(Logic::parse(name).expect(name).name(), name);
        }
        // These allow more than they are named after.
        for (name, least) in [
            ("QF_S", "QF_S"),
            ("QF_SNIA", "QF_SNIA"),
            ("QF_FP", "QF_FP"),
            ("QF_ABVFPLRA", "QF_ABVFPLRA"),
        ] {
            assert_eq!(Logic::parse(name).expect(name).name(), least);
        }
        for name in ["", "HORN", "QF_XYZ", "QF_LIALIA"] {
            assert_eq!(Logic::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_join_covers_both() {
        let join = |a: &str, b: &str| {
            Logic::parse(a)
                .expect(a)
                .join(Logic::parse(b).expect(b))
                .name()
        };
        assert_eq!(join("QF_LIA", "QF_LRA"), "QF_LIRA");
        assert_eq!(join("QF_IDL", "QF_AX"), "QF_ALIA");
        assert_eq!(join("QF_BV", "LIA"), "BVLIA");
        assert_eq!(join("QF_S", "QF_NRA"), "ALL");
        assert_eq!(join("QF_S", "UF"), "ALL");
        assert_eq!(join("QF_AX", "QF_AX"), "QF_AX");
    }

    /// The logic after `old` was replaced by a made term.
    fn after(logic: &str, old: &str, head: &str, children: &[&str], sort: Sort) -> String {
        let text = format!(
            "(set-logic {logic})(declare-const i Int)(declare-const r Real)(declare-const s String)
             (declare-fun f (Int) Int)
             (assert (= i 3))(assert (= r 2.0))(assert (= (+ i 1) 0))(assert (= s s))(check-sat)"
        );
        let operators = Operators::built_in();
        let original = Original::read(text.as_bytes(), operators, View::ANSWERS).expect(&text);
        let mut mutant = Mutant::new(&original);
        let find = |text: &str| {
            let mut terms = original.script.terms();
            NodeId::from(terms.find(|&t| original.term_text(t) == text).expect(text))
        };
        let children: Vec<NodeId> = children
            .iter()
            .map(|child| mutant.copy(find(child), crate::mutate::mutant::NONE))
            .collect();
        let made = mutant.make(
            head,
            operators.named(head).first().copied(),
            sort,
            crate::mutate::mutant::NONE,
            &children,
        );
        let slot = mutant.slot(find(old)).expect("it has a place");
        mutant.put(slot, made);
        fit(&mut mutant, operators);
        let mut out = Vec::new();
        mutant.write(&mut out);
        let text = String::from_utf8(out).expect("text");
        text.lines().next().expect("a line").to_string()
    }

    #[test]
    fn a_logic_is_widened_as_far_as_it_must_be() {
        for (logic, old, head, children, sort, expected) in [
            (
                "QF_UFLIA",
                "(= i 3)",
                "<",
                &["i", "3"][..],
                Sort::BOOL,
                "QF_UFLIA",
            ),
            (
                "QF_UFLIA",
                "(+ i 1)",
                "*",
                &["i", "3"],
                Sort::INT,
                "QF_UFLIA",
            ),
            (
                "QF_UFLIA",
                "(+ i 1)",
                "*",
                &["i", "i"],
                Sort::INT,
                "QF_UFNIA",
            ),
            (
                "QF_UFLIA",
                "(+ i 1)",
                "div",
                &["i", "3"],
                Sort::INT,
                "QF_UFLIA",
            ),
            (
                "QF_UFLIA",
                "(+ i 1)",
                "div",
                &["3", "i"],
                Sort::INT,
                "QF_UFNIA",
            ),
            (
                "QF_UFLIA",
                "(+ i 1)",
                "mod",
                &["i", "0"],
                Sort::INT,
                "QF_UFNIA",
            ),
            ("QF_LIA", "(+ i 1)", "f", &["i"], Sort::INT, "QF_UFLIA"),
            ("QF_LIA", "(+ i 1)", "str.len", &["s"], Sort::INT, "QF_SLIA"),
            ("QF_IDL", "(= i 3)", "<", &["i", "3"], Sort::BOOL, "QF_LIA"),
            (
                "QF_LIA",
                "(= i 3)",
                "exists ((b Bool))",
                &["(= i 3)"],
                Sort::BOOL,
                "LIA",
            ),
            ("HORN", "(= i 3)", "<", &["i", "3"], Sort::BOOL, "HORN"),
            ("HORN", "(+ i 1)", "str.len", &["s"], Sort::INT, "ALL"),
            ("ALL", "(+ i 1)", "*", &["i", "i"], Sort::INT, "ALL"),
        ] {
            let line = after(logic, old, head, children, sort);
            assert_eq!(line, format!("(set-logic {expected})"), "{old} -> {head}");
        }
    }
}
