//! Identities: expressions that are worth what one of their operands is, whatever
//! the other one is, and that have a value always, also where arithmetic is checked.
//! Around a variable that is read they change nothing, so they need no profile.
//!
//! Each is proved: `lydite prove equivalent` puts all of them to SMT solvers, for the
//! types of the widths in [`WIDTHS`], with the condition that nothing overflows.

use lydite_core::{Answer, Case, Choices, Claim, Obligation, Program, Reject, Verdict};

use super::draw::Live;
use crate::ast::{BinaryOp, Expression, ExpressionId, UnaryOp};
use crate::generate::Stage;
use crate::interpret::bits;
use crate::types::{ADDRESSES, BOOLS, Domain, Elementary, FIXED, Family, INTS, UINTS};

const NUMBERS: Domain = UINTS | INTS;
const BITS: Domain = NUMBERS | FIXED;
const ANY: Domain = BITS | BOOLS | ADDRESSES;

/// Bits of the types for which identities are proved.
const WIDTHS: [u16; 6] = [8, 16, 32, 64, 128, 256];

/// What is proved: for which types, and an expression that is worth `x`. `v` is any
/// value of the same type, `(wide x)` goes to a type of twice the bits and back,
/// `(turn x)` to the numbers with a sign, or without one, and back. The second
/// operand of a shift is a literal.
const IDENTITIES: &[(Domain, &str)] = &[
    (BITS, "(~ (~ x))"),
    (BITS, "(| x x)"),
    (BITS, "(& x x)"),
    (BITS, "(^ (^ x v) v)"),
    (BITS, "(^ v (^ x v))"),
    (BITS, "(| (& x v) (& x (~ v)))"),
    (BITS, "(^ (& x v) (& x (~ v)))"),
    (BITS, "(& (| x v) (| x (~ v)))"),
    (BITS, "(| x (& x v))"),
    (BITS, "(& x (| x v))"),
    (BITS, "(~ (| (~ x) (& (~ x) v)))"),
    (BITS, "(^ (^ (? (< x v) x v) (? (< x v) v x)) v)"),
    (BITS, "(wide x)"),
    (NUMBERS, "(turn x)"),
    (NUMBERS, "(+ x 0)"),
    (NUMBERS, "(- x 0)"),
    (NUMBERS, "(* x 1)"),
    (NUMBERS, "(/ x 1)"),
    (NUMBERS, "(+ (& x v) (& x (~ v)))"),
    (NUMBERS, "(- (| x v) (& (~ x) v))"),
    (NUMBERS, "(+ (- x (& x v)) (& x v))"),
    (NUMBERS, "(+ (* (/ x 16) 16) (% x 16))"),
    (NUMBERS, "(+ (- x (% x 16)) (% x 16))"),
    (UINTS, "(| (<< (>> x 3) 3) (& x 7))"),
    (UINTS, "(+ (<< (>> x 5) 5) (% x 32))"),
    (UINTS, "(- x (& (~ x) (& x v)))"),
    (BOOLS, "(! (! x))"),
    (BOOLS, "(== x true)"),
    (BOOLS, "(!= x false)"),
    (BOOLS, "(&& x true)"),
    (BOOLS, "(|| x false)"),
    (BOOLS, "(&& x (|| v x))"),
    (BOOLS, "(|| x (&& v x))"),
    (BOOLS, "(!= (!= x v) v)"),
    (BOOLS, "(! (? x false true))"),
    (ANY, "(? (== x v) v x)"),
    (ANY, "(? (!= x v) x v)"),
    (ANY, "(? (== x v) x x)"),
];

/// A word or a list of an identity.
enum Node<'a> {
    Word(&'a str),
    List(Vec<Node<'a>>),
}

/// Reads a row of the table.
fn read(text: &str) -> Node<'_> {
    let mut open: Vec<Vec<Node<'_>>> = vec![Vec::new()];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' | ' ' => 1,
            _ => rest.find(['(', ')', ' ']).unwrap_or(rest.len()),
        };
        match first {
            ' ' => {}
            '(' => open.push(Vec::new()),
            ')' => {
                let done = open.pop().unwrap_or_default();
                open.last_mut()
                    .expect("a list around it")
                    .push(Node::List(done));
            }
            _ => {
                let list = open.last_mut().expect("a list around it");
                list.push(Node::Word(&rest[..length]));
            }
        }
        rest = &rest[length..];
    }
    let whole = open.pop().unwrap_or_default().pop();
    whole.expect("a row is a list")
}

/// A type of twice the bits.
fn wider(kind: Elementary) -> Option<Elementary> {
    let bits = u32::from(kind.size()) * 16;
    (bits <= 256).then(|| match kind.family() {
        Family::Uint => Elementary::uint(bits as u16),
        Family::Int => Elementary::int(bits as u16),
        _ => Elementary::fixed_bytes((bits / 8) as u8),
    })
}

/// The type of as many bits with a sign, or without one.
fn turned(kind: Elementary) -> Elementary {
    let bits = bits(kind) as u16;
    match kind.family() {
        Family::Uint => Elementary::int(bits),
        _ => Elementary::uint(bits),
    }
}

/// The rows for a type.
fn rows(kind: Elementary) -> impl Iterator<Item = &'static str> {
    let fits = move |(domain, row): &&(Domain, &str)| {
        domain & kind.bit() != 0 && (!row.contains("wide") || wider(kind).is_some())
    };
    IDENTITIES.iter().filter(fits).map(|(_, row)| *row)
}

/// Draws an identity of `x` and, if there is one, `v`, both of that type.
pub(super) fn draw(
    live: &mut Live<'_>,
    kind: Elementary,
    x: ExpressionId,
    v: ExpressionId,
    choices: &mut Choices,
) -> Result<ExpressionId, Reject> {
    let rows: Vec<&str> = rows(kind).collect();
    let row = *choices.pick(&rows)?;
    Ok(Builder { live, kind, x, v }.expression(&read(row)))
}

/// Makes an expression of a row.
struct Builder<'a, 'b> {
    live: &'a mut Live<'b>,
    kind: Elementary,
    x: ExpressionId,
    v: ExpressionId,
}

impl Builder<'_, '_> {
    fn expression(&mut self, node: &Node<'_>) -> ExpressionId {
        let kind = self.kind;
        let made = match node {
            Node::Word("x") => return self.x,
            Node::Word("v") => return self.v,
            Node::Word(word) => return self.literal(word, kind),
            Node::List(list) => match &list[..] {
                [Node::Word("wide"), of] => {
                    let of = self.expression(of);
                    let there = self.cast(wider(kind).unwrap_or(kind), of);
                    return self.cast(kind, there);
                }
                [Node::Word("turn"), of] => {
                    let of = self.expression(of);
                    let there = self.cast(turned(kind), of);
                    return self.cast(kind, there);
                }
                [Node::Word(sign), operand] => Expression::Unary {
                    op: if *sign == "!" {
                        UnaryOp::Not
                    } else {
                        UnaryOp::BitNot
                    },
                    operand: self.expression(operand),
                },
                [Node::Word(sign), left, right] => {
                    let all = BinaryOp::ALL.into_iter();
                    let op = all.into_iter().find(|op| op.sign() == *sign);
                    let left = self.expression(left);
                    let right = match (sign, right) {
                        (&"<<" | &">>", Node::Word(word)) => {
                            self.literal(word, Elementary::uint(8))
                        }
                        _ => self.expression(right),
                    };
                    let op = op.expect("the table has operators alone");
                    Expression::Binary { op, left, right }
                }
                [_, condition, yes, no] => Expression::Conditional {
                    condition: self.expression(condition),
                    yes: self.expression(yes),
                    no: self.expression(no),
                },
                _ => return self.x,
            },
        };
        self.live.stage.add(made)
    }

    fn literal(&mut self, word: &str, kind: Elementary) -> ExpressionId {
        let (kind, value) = match word {
            "true" => (Elementary::BOOL, 1),
            "false" => (Elementary::BOOL, 0),
            word => (kind, word.parse().unwrap_or(0)),
        };
        self.live.stage.word(kind, &value.into())
    }

    fn cast(&mut self, kind: Elementary, operand: ExpressionId) -> ExpressionId {
        let kind = Stage::kind(kind);
        self.live.stage.add(Expression::Cast { kind, operand })
    }
}

/// What solvers have to refute: that a row is worth something else than `x`, or has no
/// value.
pub(super) fn obligations() -> Vec<Obligation> {
    let of = |family: fn(u16) -> Elementary| WIDTHS.map(family);
    let mut kinds: Vec<Elementary> = Vec::new();
    kinds.extend(of(Elementary::uint));
    kinds.extend(of(Elementary::int));
    kinds.extend(of(|bits| Elementary::fixed_bytes((bits / 8) as u8)));
    kinds.extend([Elementary::BOOL, Elementary::ADDRESS]);
    let all = kinds
        .iter()
        .flat_map(|kind| rows(*kind).map(|row| (*kind, row)));
    let claim = || Claim::Answers(Answer::Verdicts(vec![Verdict::Unsat]));
    let made = all.map(|(kind, row)| {
        let text = Prover {
            kind,
            sound: Vec::new(),
        }
        .script(row);
        Obligation {
            about: format!("{} of {}", row, kind.name()),
            case: Case::single(Program::single("case.smt2", text.into_bytes()), claim()),
        }
    });
    made.collect()
}

/// Writes a row in SMT-LIB.
struct Prover {
    kind: Elementary,
    /// What must hold for it to have a value.
    sound: Vec<String>,
}

impl Prover {
    fn script(mut self, row: &str) -> String {
        let sort = match self.kind {
            Elementary::BOOL => "Bool".to_string(),
            kind => format!("(_ BitVec {})", bits(kind)),
        };
        let term = self.term(&read(row), self.kind);
        let sound = self
            .sound
            .iter()
            .map(|one| format!(" {one}"))
            .collect::<String>();
        format!(
            "(set-logic QF_BV)\n(declare-const x {sort})\n(declare-const v {sort})\n\
             (assert (not (and (= x {term}){sound})))\n(check-sat)\n"
        )
    }

    fn is_signed(&self) -> bool {
        self.kind.family() == Family::Int
    }

    fn term(&mut self, node: &Node<'_>, kind: Elementary) -> String {
        let width = bits(kind);
        let list = match node {
            Node::Word(word) => {
                return match word.parse::<u64>() {
                    Ok(value) => format!("(_ bv{value} {width})"),
                    Err(_) => (*word).to_string(),
                };
            }
            Node::List(list) => list,
        };
        let Some(Node::Word(sign)) = list.first() else {
            return "x".to_string();
        };
        let operands: Vec<String> = list[1..].iter().map(|one| self.term(one, kind)).collect();
        if let Some(name) = self.checked(sign) {
            self.sound
                .push(no_overflow(name, self.is_signed(), width, &operands));
        }
        let inside = operands.join(" ");
        match *sign {
            "wide" => match kind.family() {
                Family::FixedBytes => format!(
                    "((_ extract {} {width}) (concat {inside} (_ bv0 {width})))",
                    2 * width - 1
                ),
                Family::Int => {
                    format!(
                        "((_ extract {} 0) ((_ sign_extend {width}) {inside}))",
                        width - 1
                    )
                }
                _ => format!(
                    "((_ extract {} 0) ((_ zero_extend {width}) {inside}))",
                    width - 1
                ),
            },
            "turn" => inside,
            "!=" => format!("(not (= {inside}))"),
            sign => format!("({} {inside})", self.operator(sign)),
        }
    }

    /// The operator of bit vectors, for operators that are checked.
    fn checked(&self, sign: &str) -> Option<&'static str> {
        ["+", "-", "*"].contains(&sign).then(|| self.operator(sign))
    }

    fn operator(&self, sign: &str) -> &'static str {
        match (sign, self.is_signed()) {
            ("~", _) => "bvnot",
            ("|", _) => "bvor",
            ("&", _) => "bvand",
            ("^", _) => "bvxor",
            ("+", _) => "bvadd",
            ("-", _) => "bvsub",
            ("*", _) => "bvmul",
            ("/", false) => "bvudiv",
            ("/", true) => "bvsdiv",
            ("%", false) => "bvurem",
            ("%", true) => "bvsrem",
            ("<<", _) => "bvshl",
            (">>", _) => "bvlshr",
            ("<", false) => "bvult",
            ("<", true) => "bvslt",
            ("==", _) => "=",
            ("!", _) => "not",
            ("&&", _) => "and",
            ("||", _) => "or",
            _ => "ite",
        }
    }
}

/// An operation comes to the same with twice the bits.
fn no_overflow(name: &str, signed: bool, width: usize, operands: &[String]) -> String {
    let extended = |of: &str| match signed {
        true => format!("((_ sign_extend {width}) {of})"),
        false => format!("((_ zero_extend {width}) {of})"),
    };
    let inside: Vec<String> = operands.iter().map(|one| extended(one)).collect();
    let short = format!("({name} {})", operands.join(" "));
    format!("(= {} ({name} {}))", extended(&short), inside.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::VariableId;
    use crate::equivalent::draw::{Name, vocabulary};
    use crate::interpret::Arithmetic;
    use dashu_int::IBig;

    /// Every value of `x` with some of `v` where there are 256 of them, by the interpreter.
    #[test]
    fn identities_are_worth_their_operand_and_always_have_a_value() {
        let vocabulary = vocabulary("0.8.20").unwrap();
        for (kind, least, most) in [
            (Elementary::uint(8), 0, 255),
            (Elementary::int(8), -128, 127),
            (Elementary::fixed_bytes(1), 0, 255),
            (Elementary::BOOL, 0, 1),
        ] {
            let others = (least..=most).step_by(17).chain([most]);
            let pairs = others.flat_map(|v| (least..=most).map(move |x| [x, v]));
            let pairs: Vec<Vec<IBig>> = pairs.map(|pair| pair.map(IBig::from).to_vec()).collect();
            let xs: Vec<IBig> = pairs.iter().map(|pair| pair[0].clone()).collect();
            let names = ["x", "v"].map(|name| Name {
                name: name.to_string(),
                kind,
            });
            let arithmetic = Arithmetic {
                checked: true,
                shift_rounds_down: true,
            };
            let mut live = Live::new(names.to_vec(), pairs, arithmetic, &vocabulary, "z");
            for row in rows(kind) {
                let [x, v] = [0, 1].map(|id| {
                    let variable = Expression::Variable(VariableId(id));
                    live.stage.add(variable)
                });
                let live = &mut live;
                let made = Builder { live, kind, x, v }.expression(&read(row));
                let (settled, values) = live.settle(made).unwrap();
                assert_eq!(
                    settled,
                    made,
                    "{row} of {} has no value somewhere",
                    kind.name()
                );
                assert_eq!(values, xs, "{row} of {}", kind.name());
            }
        }
    }

    #[test]
    fn what_is_to_be_proved_says_that_nothing_overflows() {
        let all = obligations();
        let of = |about: &str| {
            let found = all.iter().find(|one| one.about == about).unwrap();
            String::from_utf8_lossy(&found.case.programs[0].source().text).into_owned()
        };
        assert_eq!(
            of("(+ x 0) of int8"),
            "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(declare-const v (_ BitVec 8))\n\
             (assert (not (and (= x (bvadd x (_ bv0 8))) \
             (= ((_ sign_extend 8) (bvadd x (_ bv0 8))) (bvadd ((_ sign_extend 8) x) \
             ((_ sign_extend 8) (_ bv0 8)))))))\n(check-sat)\n"
        );
        assert!(of("(! (! x)) of bool").contains("(= x (not (not x)))"));
    }
}
