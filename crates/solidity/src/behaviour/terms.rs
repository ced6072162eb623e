//! Expressions of a wanted type over variables whose types are known: all
//! widths, operators and conversions that a version of the language has.
//!
//! What is drawn does not depend on the order in which operands are
//! evaluated: a variable that an expression changes is used in it once.

use std::collections::BTreeSet;

use dashu_int::IBig;
use lydite_core::{Choices, Reject};

use super::stage::Stage;
use super::values::any_word;
use crate::ast::{
    BinaryOp, Expression, ExpressionId, FunctionId, Literal, Owner, Role, Shape, Statement,
    UnaryOp, VariableId, Via,
};
use crate::qualify::{Relation, Theory, writable};
use crate::types::{ADDRESSES, Domain, Elementary, FIXED, Family, NUMBERS, UINTS, VALUES, values};
use crate::types::{Mutability, Visibility};
use crate::version::{Dialect, Feature};

/// What terms are made of.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    pub dialect: Dialect,
    pub theory: Theory,
    /// The types that are used.
    pub kinds: Domain,
    /// How deep terms are nested.
    pub depth: u32,
}

impl Vocabulary {
    /// The value types among `families` with so many widths.
    pub(super) fn new(dialect: Dialect, widths: u8, families: Domain, depth: u32) -> Vocabulary {
        let payable = Elementary::PAYABLE.bit();
        Vocabulary {
            theory: Theory::new(&dialect),
            kinds: writable(&dialect, widths) & VALUES & families & !payable,
            dialect,
            depth,
        }
    }
}

/// Something that can be read, and written where it is a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub kind: Elementary,
    pub variable: VariableId,
    pub part: Part,
}

/// Which part of the variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Element(u32),
    Field(VariableId),
    Entry(Elementary, IBig),
}

/// Draws terms.
pub(super) struct Terms<'a> {
    pub stage: &'a mut Stage,
    pub choices: &'a mut Choices,
    pub vocabulary: &'a Vocabulary,
    /// What can be read.
    pub scope: Vec<Place>,
    /// Arrays of words, with their length: elements by any index.
    pub arrays: Vec<(VariableId, Elementary, u32)>,
    /// Functions may be added and called.
    pub calls: bool,
    /// `++` and `--` of places in scope.
    pub effects: bool,
    /// Variables that the statement reads, and those that it changes.
    pub read: BTreeSet<VariableId>,
    pub changed: Vec<Place>,
    /// Functions that were added, in order.
    pub added: Vec<FunctionId>,
}

/// The forms of a term that is no leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shaped {
    Arithmetic,
    Shift,
    Power,
    Complement,
    Negation,
    Comparison,
    Logic,
    Not,
    Byte,
    Conditional,
    Cast,
    Element,
    Change,
    Call,
}

const WEIGHTS: [(Shaped, u64); 14] = [
    (Shaped::Arithmetic, 10),
    (Shaped::Shift, 4),
    (Shaped::Power, 3),
    (Shaped::Complement, 2),
    (Shaped::Negation, 2),
    (Shaped::Comparison, 8),
    (Shaped::Logic, 4),
    (Shaped::Not, 2),
    (Shaped::Byte, 3),
    (Shaped::Conditional, 2),
    (Shaped::Cast, 4),
    (Shaped::Element, 2),
    (Shaped::Change, 2),
    (Shaped::Call, 2),
];

const NUMERIC: [BinaryOp; 8] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
];
/// Those that fixed bytes have.
const BITWISE: usize = 5;
const COMPARISONS: [BinaryOp; 6] = [
    BinaryOp::Equal,
    BinaryOp::Unequal,
    BinaryOp::Less,
    BinaryOp::Greater,
    BinaryOp::AtMost,
    BinaryOp::AtLeast,
];

/// The largest literal without a type, and the most bits of a literal shift.
const SMALL: u64 = 127;

impl<'a> Terms<'a> {
    /// With nothing in scope.
    pub(super) fn new(
        stage: &'a mut Stage,
        choices: &'a mut Choices,
        vocabulary: &'a Vocabulary,
    ) -> Terms<'a> {
        Terms {
            stage,
            choices,
            vocabulary,
            scope: Vec::new(),
            arrays: Vec::new(),
            calls: true,
            effects: true,
            read: BTreeSet::new(),
            changed: Vec::new(),
            added: Vec::new(),
        }
    }

    /// Something more can be read.
    pub(super) fn sees(&mut self, kind: Elementary, variable: VariableId, part: Part) {
        self.scope.push(Place {
            kind,
            variable,
            part,
        });
    }

    /// Another statement begins.
    pub(super) fn begin(&mut self) {
        self.read.clear();
        self.changed.clear();
        self.added.clear();
    }

    /// A type among those of a set.
    pub(super) fn any_kind(&mut self, among: Domain) -> Result<Elementary, Reject> {
        let kinds: Vec<u8> = values(among & self.vocabulary.kinds).collect();
        if kinds.is_empty() {
            return Err(Reject::NotApplicable("no type of that sort"));
        }
        Ok(Elementary::from_number(*self.choices.pick(&kinds)?))
    }

    /// A term whose type converts to `kind` by itself.
    pub(super) fn fitting(&mut self, kind: Elementary) -> Result<ExpressionId, Reject> {
        let depth = self.vocabulary.depth;
        let kind = self.source(kind)?;
        self.term(kind, depth)
    }

    /// The type, or sometimes one that converts to it.
    fn source(&mut self, kind: Elementary) -> Result<Elementary, Reject> {
        if !self.choices.chance(1, 4)? {
            return Ok(kind);
        }
        let theory = &self.vocabulary.theory;
        let sources = theory.sources(Relation::Converts, kind.number());
        match sources & self.vocabulary.kinds {
            0 => Ok(kind),
            sources => self.any_kind(sources),
        }
    }

    /// A term of exactly this type.
    pub(super) fn term(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        if depth == 0 || self.choices.chance(1, 6)? {
            return self.leaf(kind, depth);
        }
        let weights = WEIGHTS.map(|(shaped, weight)| match self.allows(shaped, kind) {
            true => weight,
            false => 0,
        });
        let (shaped, _) = WEIGHTS[self.choices.weighted(&weights)?];
        let below = depth - 1;
        match shaped {
            Shaped::Arithmetic => self.arithmetic(kind, below),
            Shaped::Shift => self.shift(kind, below),
            Shaped::Power => self.power(kind, below),
            Shaped::Complement => self.unary(UnaryOp::BitNot, kind, below),
            Shaped::Negation => self.unary(UnaryOp::Negate, kind, below),
            Shaped::Not => self.unary(UnaryOp::Not, kind, below),
            Shaped::Comparison => self.comparison(below),
            Shaped::Logic => {
                let op = *self.choices.pick(&[BinaryOp::And, BinaryOp::Or])?;
                let (left, right) = (self.term(kind, below)?, self.term(kind, below)?);
                Ok(self.stage.add(Expression::Binary { op, left, right }))
            }
            Shaped::Byte => self.byte(below),
            Shaped::Conditional => self.conditional(kind, below),
            Shaped::Cast => self.cast(kind, below),
            Shaped::Element => self.element(kind, below),
            Shaped::Change => self.change(kind),
            Shaped::Call => self.call(kind, below),
        }
    }

    fn allows(&self, shaped: Shaped, kind: Elementary) -> bool {
        let dialect = &self.vocabulary.dialect;
        let within = |domain: Domain| domain & kind.bit() != 0;
        let is_uint = kind.family() == Family::Uint;
        match shaped {
            Shaped::Arithmetic => within(NUMBERS | FIXED),
            Shaped::Shift => within(NUMBERS | FIXED) && self.has(UINTS),
            Shaped::Complement => within(NUMBERS | FIXED),
            Shaped::Power => is_uint || within(NUMBERS) && dialect.has(Feature::SignedExponentBase),
            Shaped::Negation => UnaryOp::Negate.operands(dialect) & kind.bit() != 0,
            Shaped::Comparison => kind == Elementary::BOOL && self.has(NUMBERS | FIXED | ADDRESSES),
            Shaped::Logic | Shaped::Not => kind == Elementary::BOOL,
            Shaped::Byte => kind == Elementary::fixed_bytes(1),
            Shaped::Conditional => self.has(Elementary::BOOL.bit()),
            Shaped::Cast => self.castable(kind) != 0,
            Shaped::Element => self.arrays.iter().any(|(_, of, _)| *of == kind) && self.has(UINTS),
            Shaped::Change => within(NUMBERS) && self.changeable(kind).next().is_some(),
            Shaped::Call => self.calls,
        }
    }

    fn has(&self, domain: Domain) -> bool {
        self.vocabulary.kinds & domain != 0
    }

    fn castable(&self, kind: Elementary) -> Domain {
        let sources = self
            .vocabulary
            .theory
            .sources(Relation::Casts, kind.number());
        sources & self.vocabulary.kinds & !kind.bit()
    }

    fn leaf(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let own: Vec<usize> = (0..self.scope.len())
            .filter(|&at| self.scope[at].kind == kind && self.is_readable(&self.scope[at]))
            .collect();
        if !own.is_empty() && self.choices.chance(3, 4)? {
            let at = *self.choices.pick(&own)?;
            return Ok(self.reading(at));
        }
        // Of another type: there is hardly a variable of each.
        let castable = self.castable(kind);
        let others: Vec<usize> = (0..self.scope.len())
            .filter(|&at| castable & self.scope[at].kind.bit() != 0)
            .filter(|&at| self.is_readable(&self.scope[at]))
            .collect();
        if depth == 0 && !others.is_empty() && self.choices.chance(3, 4)? {
            let at = *self.choices.pick(&others)?;
            let operand = self.reading(at);
            let kind = Stage::kind(kind);
            return Ok(self.stage.add(Expression::Cast { kind, operand }));
        }
        let value = any_word(kind, self.choices)?;
        Ok(self.stage.word(kind, &value))
    }

    fn is_readable(&self, place: &Place) -> bool {
        !self
            .changed
            .iter()
            .any(|changed| changed.variable == place.variable)
    }

    fn reading(&mut self, at: usize) -> ExpressionId {
        let place = self.scope[at].clone();
        self.read.insert(place.variable);
        self.stage.place(&place)
    }

    /// Both operands; one of them may be of a type that converts.
    fn operands(
        &mut self,
        kind: Elementary,
        depth: u32,
    ) -> Result<(ExpressionId, ExpressionId), Reject> {
        let narrow = self.source(kind)?;
        match self.choices.below(2)? {
            0 => {
                let left = self.term(kind, depth)?;
                Ok((left, self.term(narrow, depth)?))
            }
            _ => {
                let left = self.term(narrow, depth)?;
                Ok((left, self.term(kind, depth)?))
            }
        }
    }

    fn arithmetic(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let ops = match kind.family() {
            Family::FixedBytes => &NUMERIC[BITWISE..],
            _ => &NUMERIC[..],
        };
        let op = *self.choices.pick(ops)?;
        let is_number = kind.family() != Family::FixedBytes;
        let (left, right) = match is_number && self.choices.chance(1, 5)? {
            true => (self.term(kind, depth)?, self.small(1)?),
            false => self.operands(kind, depth)?,
        };
        let right = self.divisor(op, right, kind);
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    /// A literal without a type.
    fn small(&mut self, least: u64) -> Result<ExpressionId, Reject> {
        let value = self.choices.between(least, SMALL)?;
        let negative = false;
        let literal = Literal::Number { value, negative };
        Ok(self.stage.add(Expression::Literal(literal)))
    }

    /// The compiler refuses to divide by what it knows to be zero.
    pub(super) fn divisor(
        &mut self,
        op: BinaryOp,
        right: ExpressionId,
        kind: Elementary,
    ) -> ExpressionId {
        let is_zero = matches!(
            self.stage.ast[right],
            Expression::Literal(Literal::Word { digits, .. }) if digits == [0; 4]
        );
        match is_zero && matches!(op, BinaryOp::Div | BinaryOp::Mod) {
            true => self.stage.word(kind, &IBig::ONE),
            false => right,
        }
    }

    fn shift(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let op = *self
            .choices
            .pick(&[BinaryOp::ShiftLeft, BinaryOp::ShiftRight])?;
        let left = self.term(kind, depth)?;
        let right = self.amount(UINTS, depth)?;
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    fn power(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        // Until 0.7.0 the result has the common type of both.
        let exponents = match self.vocabulary.dialect.has(Feature::SignedExponentBase) {
            true => UINTS,
            false => self
                .vocabulary
                .theory
                .sources(Relation::Converts, kind.number()),
        };
        let left = self.term(kind, depth)?;
        let right = self.amount(exponents, depth)?;
        let op = BinaryOp::Power;
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    /// By how much something is shifted, or to which power it is raised.
    pub(super) fn amount(&mut self, kinds: Domain, depth: u32) -> Result<ExpressionId, Reject> {
        match !self.has(kinds) || self.choices.chance(1, 3)? {
            true => self.small(0),
            false => {
                let kind = self.any_kind(kinds)?;
                self.term(kind, depth)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let operand = self.term(kind, depth)?;
        Ok(self.stage.add(Expression::Unary { op, operand }))
    }

    fn comparison(&mut self, depth: u32) -> Result<ExpressionId, Reject> {
        let kind = self.any_kind(NUMBERS | FIXED | ADDRESSES)?;
        let op = *self.choices.pick(&COMPARISONS)?;
        debug_assert_eq!(op.shape(), Shape::Comparison);
        let is_number = NUMBERS & kind.bit() != 0;
        let (left, right) = match is_number && self.choices.chance(1, 5)? {
            true => (self.term(kind, depth)?, self.small(0)?),
            false => self.operands(kind, depth)?,
        };
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    fn byte(&mut self, depth: u32) -> Result<ExpressionId, Reject> {
        let kind = self.any_kind(FIXED)?;
        let base = self.term(kind, depth)?;
        let index = self.index(u64::from(kind.size()), depth)?;
        Ok(self.stage.add(Expression::Index { base, index }))
    }

    /// An index: a literal below the length, or a term.
    fn index(&mut self, length: u64, depth: u32) -> Result<ExpressionId, Reject> {
        if !self.has(UINTS) || self.choices.chance(1, 2)? {
            let value = self.choices.below(length)?;
            let negative = false;
            let literal = Literal::Number { value, negative };
            return Ok(self.stage.add(Expression::Literal(literal)));
        }
        let kind = self.any_kind(UINTS)?;
        self.term(kind, depth)
    }

    fn conditional(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let condition = self.term(Elementary::BOOL, depth)?;
        let (yes, no) = (self.term(kind, depth)?, self.term(kind, depth)?);
        Ok(self
            .stage
            .add(Expression::Conditional { condition, yes, no }))
    }

    fn cast(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let from = self.any_kind(self.castable(kind))?;
        let operand = self.term(from, depth)?;
        let kind = Stage::kind(kind);
        Ok(self.stage.add(Expression::Cast { kind, operand }))
    }

    fn element(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let arrays: Vec<(VariableId, u32)> = self
            .arrays
            .iter()
            .filter(|(_, of, _)| *of == kind)
            .map(|(id, _, length)| (*id, *length))
            .collect();
        let (array, length) = *self.choices.pick(&arrays)?;
        if self.changed.iter().any(|place| place.variable == array) {
            return self.leaf(kind, 0);
        }
        self.read.insert(array);
        let base = self.stage.add(Expression::Variable(array));
        let index = self.index(u64::from(length), depth)?;
        Ok(self.stage.add(Expression::Index { base, index }))
    }

    /// Places of a type that nothing in the statement has used.
    fn changeable(&self, kind: Elementary) -> impl Iterator<Item = usize> {
        (0..self.scope.len()).filter(move |&at| {
            let place = &self.scope[at];
            self.effects
                && place.kind == kind
                && self.is_readable(place)
                && !self.read.contains(&place.variable)
        })
    }

    fn change(&mut self, kind: Elementary) -> Result<ExpressionId, Reject> {
        let places: Vec<usize> = self.changeable(kind).collect();
        let at = *self.choices.pick(&places)?;
        let op = *self.choices.pick(&[
            UnaryOp::Increment,
            UnaryOp::Decrement,
            UnaryOp::PostIncrement,
            UnaryOp::PostDecrement,
        ])?;
        let place = self.scope[at].clone();
        let operand = self.stage.place(&place);
        self.changed.push(place);
        Ok(self.stage.add(Expression::Unary { op, operand }))
    }

    /// A call of a function that is nothing but an expression over its
    /// parameters, and called nowhere else.
    fn call(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let count = self.choices.between(1, 3)?;
        let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let parameter = self.any_kind(VALUES)?;
            let source = self.source(parameter)?;
            arguments.push(self.term(source, depth)?);
            parameters.push(self.stage.variable(Role::Parameter, parameter));
        }
        let external = self.choices.chance(1, 4)?;
        let function = self.stage_function(&parameters, kind, external);
        let scope = parameters.iter().map(|id| {
            let kind = self.stage.types().word(self.stage.ast[*id].kind);
            Place {
                kind: kind.expect("parameters are words"),
                variable: *id,
                part: Part::Whole,
            }
        });
        let scope: Vec<Place> = scope.collect();
        let outer = std::mem::replace(&mut self.scope, scope);
        let arrays = std::mem::take(&mut self.arrays);
        let (calls, effects) = (self.calls, self.effects);
        (self.calls, self.effects) = (false, false);
        let owner = std::mem::replace(&mut self.stage.owner, Owner::Function(function));
        let body = self.source(kind).and_then(|kind| self.term(kind, depth));
        let returned = body.map(|body| self.stage.statement(Statement::Return(vec![body])));
        (self.calls, self.effects) = (calls, effects);
        self.stage.owner = owner;
        (self.scope, self.arrays) = (outer, arrays);
        self.stage.ast[function].body = Some(vec![returned?]);
        self.added.push(function);
        Ok(self.stage.add(Expression::Call {
            function,
            via: if external { Via::This } else { Via::Name },
            arguments,
        }))
    }

    fn stage_function(
        &mut self,
        parameters: &[VariableId],
        kind: Elementary,
        external: bool,
    ) -> FunctionId {
        let result = self.stage.variable(Role::Result, kind);
        let visibility = match external {
            true => Visibility::Public,
            false => Visibility::Internal,
        };
        let parameters = parameters.to_vec();
        self.stage
            .function(parameters, vec![result], visibility, Mutability::Pure)
    }
}
