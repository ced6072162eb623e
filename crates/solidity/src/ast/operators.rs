//! Operators: their signs, and the types that they take.

use crate::types::{ADDRESSES, BOOLS, Domain, FIXED, INTS, NUMBERS};
use crate::version::{Dialect, Feature};

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `**`
    Power,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// How the types of operands and result hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All three are one common type.
    Arithmetic,
    /// The result is of the left operand's type; the right one is a number.
    Shift,
    /// The operands have a common type, the result is a `bool`.
    Comparison,
    /// All are `bool`.
    Logic,
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 19] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Mod,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::Power,
        BinaryOp::Less,
        BinaryOp::Greater,
        BinaryOp::AtMost,
        BinaryOp::AtLeast,
        BinaryOp::Equal,
        BinaryOp::Unequal,
        BinaryOp::And,
        BinaryOp::Or,
    ];

    /// Sign, shape, and the types of the left operand.
    pub const fn row(self) -> (&'static str, Shape, Domain) {
        const BITS: Domain = NUMBERS | FIXED;
        const ORDERED: Domain = NUMBERS | FIXED | ADDRESSES;
        const EQUAL: Domain = ORDERED | BOOLS;
        match self {
            BinaryOp::Add => ("+", Shape::Arithmetic, NUMBERS),
            BinaryOp::Sub => ("-", Shape::Arithmetic, NUMBERS),
            BinaryOp::Mul => ("*", Shape::Arithmetic, NUMBERS),
            BinaryOp::Div => ("/", Shape::Arithmetic, NUMBERS),
            BinaryOp::Mod => ("%", Shape::Arithmetic, NUMBERS),
            BinaryOp::BitAnd => ("&", Shape::Arithmetic, BITS),
            BinaryOp::BitOr => ("|", Shape::Arithmetic, BITS),
            BinaryOp::BitXor => ("^", Shape::Arithmetic, BITS),
            BinaryOp::ShiftLeft => ("<<", Shape::Shift, BITS),
            BinaryOp::ShiftRight => (">>", Shape::Shift, BITS),
            BinaryOp::Power => ("**", Shape::Shift, NUMBERS),
            BinaryOp::Less => ("<", Shape::Comparison, ORDERED),
            BinaryOp::Greater => (">", Shape::Comparison, ORDERED),
            BinaryOp::AtMost => ("<=", Shape::Comparison, ORDERED),
            BinaryOp::AtLeast => (">=", Shape::Comparison, ORDERED),
            BinaryOp::Equal => ("==", Shape::Comparison, EQUAL),
            BinaryOp::Unequal => ("!=", Shape::Comparison, EQUAL),
            BinaryOp::And => ("&&", Shape::Logic, BOOLS),
            BinaryOp::Or => ("||", Shape::Logic, BOOLS),
        }
    }

    /// Its sign.
    pub const fn sign(self) -> &'static str {
        self.row().0
    }

    /// How types hang together.
    pub const fn shape(self) -> Shape {
        self.row().1
    }

    /// The types that it takes.
    pub const fn operands(self) -> Domain {
        self.row().2
    }

    /// True if `op=` exists.
    pub const fn has_assignment(self) -> bool {
        matches!(self.shape(), Shape::Arithmetic | Shape::Shift) && !matches!(self, BinaryOp::Power)
    }
}

/// An operator on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `-`
    Negate,
    /// `++x`
    Increment,
    /// `--x`
    Decrement,
    /// `x++`
    PostIncrement,
    /// `x--`
    PostDecrement,
    /// `delete`
    Delete,
}

impl UnaryOp {
    /// Its sign, before the operand or after it.
    pub const fn sign(self) -> (&'static str, &'static str) {
        match self {
            UnaryOp::Not => ("!", ""),
            UnaryOp::BitNot => ("~", ""),
            UnaryOp::Negate => ("-", ""),
            UnaryOp::Increment => ("++", ""),
            UnaryOp::Decrement => ("--", ""),
            UnaryOp::PostIncrement => ("", "++"),
            UnaryOp::PostDecrement => ("", "--"),
            UnaryOp::Delete => ("delete ", ""),
        }
    }

    /// The types that it takes.
    pub fn operands(self, dialect: &Dialect) -> Domain {
        match self {
            UnaryOp::Not => BOOLS,
            UnaryOp::BitNot => NUMBERS | FIXED,
            UnaryOp::Negate if dialect.has(Feature::NegateUnsigned) => NUMBERS,
            UnaryOp::Negate => INTS,
            UnaryOp::Delete => Domain::MAX,
            _ => NUMBERS,
        }
    }

    /// True if it changes its operand.
    pub const fn assigns(self) -> bool {
        !matches!(self, UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Negate)
    }
}
