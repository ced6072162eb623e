//! What is drawn, and how often: the tables by which the users of the
//! generator differ.
//!
//! - [`OPEN`]: strategies `template` and `complete`, whose types are open;
//! - [`COMPUTED`]: `assigned` and `expressions`, whose terms are computed;
//! - [`LIVE`]: `equivalent`, whose terms stand among variables that were seen
//!   at work;
//! - `copies` draws no operators; it has [`MOVED`] and [`MOVED_REACH`].

use lydite_core::{Choices, Reject};

use super::places::Reach;
use super::weights::Draw;
use crate::ast::BinaryOp;
use crate::types::{
    ADDRESSES, BOOLS, Domain, Elementary, FIXED, INTS, NUMBERS, SEQUENCES, UINTS, VALUES, values,
};

/// The bit of all types that are not elementary.
pub(crate) const COMPOSITE: Domain = 1 << (Domain::BITS - 1);

/// What an expression that is no leaf can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Construct {
    Arithmetic,
    Shift,
    Power,
    /// `~`
    Complement,
    /// `-`
    Negation,
    Comparison,
    /// `&&` and `||`
    Logic,
    /// `!`
    Not,
    /// Any operator on one operand.
    Unary,
    /// A byte of fixed bytes.
    Byte,
    Conditional,
    Cast,
    /// An element of an array.
    Element,
    /// `++` and `--`
    Change,
    Call,
    /// `(v = e)`
    Assignment,
    /// What only some types have.
    Particular,
}

/// A row of a table: for which types, and how often.
pub(crate) type ConstructRow = (Construct, Domain, u64);

const ANY: Domain = Domain::MAX;
const BITS: Domain = NUMBERS | FIXED;

/// Families of types, and how often each is drawn.
pub(crate) type Families = [(Domain, u64)];

/// Of open programs.
pub(super) const OPEN: &[(Construct, Domain, Draw)] = &[
    (Construct::Arithmetic, BITS, Draw::Arithmetic),
    (Construct::Comparison, BOOLS, Draw::Comparisons),
    (Construct::Unary, BITS | BOOLS, Draw::Unary),
    (Construct::Conditional, ANY, Draw::ConditionalValues),
    (Construct::Call, ANY, Draw::CallValues),
    (Construct::Cast, VALUES, Draw::Casts),
    (Construct::Cast, SEQUENCES, Draw::SequenceCasts),
    (
        Construct::Assignment,
        VALUES | SEQUENCES,
        Draw::NestedAssignments,
    ),
    (Construct::Particular, ANY, Draw::Particular),
];

/// The families of their types.
pub(super) const OPEN_FAMILIES: &[(Domain, Draw)] = &[
    (UINTS, Draw::Uints),
    (INTS, Draw::Ints),
    (BOOLS, Draw::Bools),
    (FIXED, Draw::FixedBytes),
    (ADDRESSES, Draw::Addresses),
    (SEQUENCES, Draw::Sequences),
];

/// How far into variables their expressions reach.
pub(crate) const OPEN_REACH: Reach = Reach {
    steps: 2,
    mappings: true,
    bytes: false,
    last_first: false,
};

/// The families of words that are moved.
pub(crate) const MOVED: &Families = &[
    (UINTS, 4),
    (INTS, 4),
    (FIXED, 3),
    (BOOLS, 1),
    (ADDRESSES, 1),
];

/// How far into variables the data is that is moved.
pub(crate) const MOVED_REACH: Reach = Reach {
    steps: 3,
    mappings: false,
    bytes: true,
    last_first: true,
};

/// What terms are drawn of: expressions of one elementary type, over places
/// whose types are known.
#[derive(Debug)]
pub(crate) struct TermPolicy {
    pub constructs: &'static [ConstructRow],
    /// One in so many is a conditional before the table is asked; 0 is none.
    pub conditional: u64,
    /// Operators of [`Construct::Arithmetic`].
    pub operators: &'static [BinaryOp],
    pub operands: OperandPolicy,
    pub leaves: LeafPolicy,
}

/// The operands of operators and conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandPolicy {
    /// Of the type, of one that converts to it, or a literal without a type;
    /// conversions are those of the version.
    Mixed,
    /// All of one type, and conversions by steps that every version has.
    Alike,
}

/// Where terms end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeafPolicy {
    /// Any place of the type, read or converted; else any value.
    Places,
    /// A variable, which is read or changed once where it may be changed; else
    /// a value beside one that some variable was seen with.
    Seen,
}

/// Of terms that are computed.
pub(crate) const COMPUTED: TermPolicy = TermPolicy {
    constructs: &[
        (Construct::Arithmetic, ANY, 10),
        (Construct::Shift, ANY, 4),
        (Construct::Power, ANY, 3),
        (Construct::Complement, ANY, 2),
        (Construct::Negation, ANY, 2),
        (Construct::Comparison, ANY, 8),
        (Construct::Logic, ANY, 4),
        (Construct::Not, ANY, 2),
        (Construct::Byte, ANY, 3),
        (Construct::Conditional, ANY, 2),
        (Construct::Cast, ANY, 4),
        (Construct::Element, ANY, 2),
        (Construct::Change, ANY, 2),
        (Construct::Call, ANY, 2),
    ],
    conditional: 0,
    operators: &[
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Mod,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
    ],
    operands: OperandPolicy::Mixed,
    leaves: LeafPolicy::Places,
};

/// Of terms among live variables.
pub(crate) const LIVE: TermPolicy = TermPolicy {
    constructs: &[
        (Construct::Not, BOOLS, 1),
        (Construct::Logic, BOOLS, 1),
        (Construct::Comparison, BOOLS, 4),
        (Construct::Complement, BITS, 1),
        (Construct::Negation, INTS, 1),
        (Construct::Arithmetic, INTS, 2),
        (Construct::Arithmetic, UINTS, 1),
        (Construct::Shift, UINTS, 1),
        (Construct::Power, UINTS, 1),
        (Construct::Cast, NUMBERS, 2),
        (Construct::Arithmetic, NUMBERS, 6),
        (Construct::Cast, FIXED, 1),
        (Construct::Arithmetic, FIXED, 2),
        (Construct::Cast, ADDRESSES, 1),
        (Construct::Call, VALUES, 1),
    ],
    conditional: 8,
    operators: &[
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Mod,
    ],
    operands: OperandPolicy::Alike,
    leaves: LeafPolicy::Seen,
};

/// The weights of all rows; none for what is not for the type or not allowed.
pub(crate) fn weigh_constructs(
    table: &[ConstructRow],
    kind: Domain,
    allows: impl Fn(Construct) -> bool,
) -> Vec<u64> {
    let weigh = |(construct, among, weight): &ConstructRow| match among & kind != 0 {
        true if allows(*construct) => *weight,
        _ => 0,
    };
    table.iter().map(weigh).collect()
}

/// Draws an operator among those that take operands of a type.
pub(crate) fn draw_operator(
    choices: &mut Choices,
    among: &[BinaryOp],
    kind: Elementary,
) -> Result<BinaryOp, Reject> {
    let takes = |op: &&BinaryOp| op.operands() & kind.bit() != 0;
    let fitting: Vec<BinaryOp> = among.iter().filter(takes).copied().collect();
    Ok(*choices.pick(&fitting)?)
}

/// Draws an elementary type: a family first, so that there are not only
/// numbers.
pub(crate) fn draw_elementary(
    choices: &mut Choices,
    families: &Families,
    among: Domain,
) -> Result<Elementary, Reject> {
    let weight = |(family, weight): &(Domain, u64)| match family & among {
        0 => 0,
        _ => *weight,
    };
    let weights: Vec<u64> = families.iter().map(weight).collect();
    let (family, _) = families[choices.weighted(&weights)?];
    pick_elementary(choices, family & among)
}

/// Draws one of a set of elementary types.
pub(crate) fn pick_elementary(choices: &mut Choices, among: Domain) -> Result<Elementary, Reject> {
    let kinds: Vec<u8> = values(among).collect();
    Ok(Elementary::from_number(*choices.pick(&kinds)?))
}
