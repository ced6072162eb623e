//! Expressions of a wanted type over variables whose types are known: all
//! widths, operators and conversions that a version of the language has.
//!
//! What is drawn does not depend on the order in which operands are
//! evaluated: a variable that an expression changes is used in it once.

use std::collections::BTreeSet;

use dashu_int::IBig;
use lydite_core::{Choices, Reject};

use super::literals::any_word;
use super::places::{Place, Step, number};
use super::policy::{
    Construct, LeafPolicy, OperandPolicy, TermPolicy, draw_operator, pick_elementary,
    weigh_constructs,
};
use super::stage::Stage;
use crate::ast::{
    BinaryOp, Expression, ExpressionId, FunctionId, Literal, Owner, Role, Statement, UnaryOp,
    VariableId, Via,
};
use crate::qualify::{Relation, Theory, writable};
use crate::types::{
    ADDRESSES, Domain, Elementary, FIXED, Family, Location, NUMBERS, UINTS, VALUES,
};
use crate::types::{Mutability, Visibility};
use crate::version::{Dialect, Feature};

/// What terms are made of.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    pub policy: &'static TermPolicy,
    pub dialect: Dialect,
    pub theory: Theory,
    /// The types that are used.
    pub kinds: Domain,
    /// How deep terms are nested.
    pub depth: u32,
}

impl Vocabulary {
    /// The value types among `families` with so many widths.
    pub(crate) fn new(
        policy: &'static TermPolicy,
        dialect: Dialect,
        widths: u8,
        families: Domain,
        depth: u32,
    ) -> Vocabulary {
        let payable = Elementary::PAYABLE.bit();
        Vocabulary {
            policy,
            theory: Theory::new(&dialect),
            kinds: writable(&dialect, widths) & VALUES & families & !payable,
            dialect,
            depth,
        }
    }
}

/// Draws terms.
pub(crate) struct Terms<'a> {
    pub stage: &'a mut Stage,
    pub choices: &'a mut Choices,
    pub vocabulary: &'a Vocabulary,
    /// What can be read.
    pub scope: Vec<Place>,
    /// Values that the variables in scope were seen with together, in the
    /// order of the scope.
    pub seen: &'a [Vec<IBig>],
    /// Variables that a term may change by policy [`LeafPolicy::Seen`], each
    /// once, and those that it still may.
    pub changeable: BTreeSet<VariableId>,
    pub(super) free: BTreeSet<VariableId>,
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

const COMPARISONS: [BinaryOp; 6] = [
    BinaryOp::Equal,
    BinaryOp::Unequal,
    BinaryOp::Less,
    BinaryOp::Greater,
    BinaryOp::AtMost,
    BinaryOp::AtLeast,
];

pub(super) const STEPS: [UnaryOp; 4] = [
    UnaryOp::Increment,
    UnaryOp::Decrement,
    UnaryOp::PostIncrement,
    UnaryOp::PostDecrement,
];

/// The largest literal without a type, and the most bits of a literal shift.
const SMALL: u64 = 127;

impl<'a> Terms<'a> {
    /// With nothing in scope.
    pub(crate) fn new(
        stage: &'a mut Stage,
        choices: &'a mut Choices,
        vocabulary: &'a Vocabulary,
    ) -> Terms<'a> {
        Terms {
            stage,
            choices,
            vocabulary,
            scope: Vec::new(),
            seen: &[],
            changeable: BTreeSet::new(),
            free: BTreeSet::new(),
            arrays: Vec::new(),
            calls: true,
            effects: true,
            read: BTreeSet::new(),
            changed: Vec::new(),
            added: Vec::new(),
        }
    }

    /// Something more can be read.
    pub(crate) fn sees(&mut self, kind: Elementary, variable: VariableId, part: Option<Step>) {
        let whole = Place::of(variable, Stage::kind(kind), Location::Memory);
        self.scope.push(match part {
            Some(step) => whole.part(step, Stage::kind(kind)),
            None => whole,
        });
    }

    /// Another statement begins.
    pub(crate) fn begin(&mut self) {
        self.read.clear();
        self.changed.clear();
        self.added.clear();
        self.free.clone_from(&self.changeable);
    }

    /// A type among those of a set.
    pub(crate) fn any_kind(&mut self, among: Domain) -> Result<Elementary, Reject> {
        match among & self.vocabulary.kinds {
            0 => Err(Reject::NotApplicable("no type of that sort")),
            among => pick_elementary(self.choices, among),
        }
    }

    /// A term whose type converts to `kind` by itself.
    pub(crate) fn fitting(&mut self, kind: Elementary) -> Result<ExpressionId, Reject> {
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
    pub(crate) fn term(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        if depth == 0 || self.choices.chance(1, 6)? {
            return self.leaf(kind, depth);
        }
        let below = depth - 1;
        let policy = self.vocabulary.policy;
        if policy.conditional > 0 && self.choices.chance(1, policy.conditional)? {
            return self.conditional(kind, below);
        }
        let rows = policy.constructs;
        let weights = weigh_constructs(rows, kind.bit(), |construct| self.allows(construct, kind));
        let (construct, ..) = rows[self.choices.weighted(&weights)?];
        match construct {
            Construct::Arithmetic => self.arithmetic(kind, below),
            Construct::Shift => self.shift(kind, below),
            Construct::Power => self.power(kind, below),
            Construct::Complement => self.unary(UnaryOp::BitNot, kind, below),
            Construct::Negation => self.unary(UnaryOp::Negate, kind, below),
            Construct::Not => self.unary(UnaryOp::Not, kind, below),
            Construct::Comparison => self.comparison(below),
            Construct::Logic => {
                let op = *self.choices.pick(&[BinaryOp::And, BinaryOp::Or])?;
                let (left, right) = (self.term(kind, below)?, self.term(kind, below)?);
                Ok(self.stage.add(Expression::Binary { op, left, right }))
            }
            Construct::Byte => self.byte(below),
            Construct::Conditional => self.conditional(kind, below),
            Construct::Cast => self.cast(kind, below),
            Construct::Element => self.element(kind, below),
            Construct::Change => self.change(kind),
            Construct::Call => self.call(kind, below),
            Construct::Unary | Construct::Assignment | Construct::Particular => {
                Err(Reject::NotApplicable("no construct of terms"))
            }
        }
    }

    fn allows(&self, construct: Construct, kind: Elementary) -> bool {
        let dialect = &self.vocabulary.dialect;
        let within = |domain: Domain| domain & kind.bit() != 0;
        let is_uint = kind.family() == Family::Uint;
        match construct {
            Construct::Arithmetic => within(NUMBERS | FIXED),
            Construct::Shift => within(NUMBERS | FIXED) && self.has(UINTS),
            Construct::Complement => within(NUMBERS | FIXED),
            Construct::Power => {
                is_uint || within(NUMBERS) && dialect.has(Feature::SignedExponentBase)
            }
            Construct::Negation => UnaryOp::Negate.operands(dialect) & kind.bit() != 0,
            Construct::Comparison => {
                kind == Elementary::BOOL && self.has(NUMBERS | FIXED | ADDRESSES)
            }
            Construct::Logic | Construct::Not => kind == Elementary::BOOL,
            Construct::Byte => kind == Elementary::fixed_bytes(1),
            Construct::Conditional => self.has(Elementary::BOOL.bit()),
            Construct::Cast => self.castable(kind) != 0,
            Construct::Element => {
                self.arrays.iter().any(|(_, of, _)| *of == kind) && self.has(UINTS)
            }
            Construct::Change => within(NUMBERS) && self.changeable(kind).next().is_some(),
            Construct::Call => self.calls,
            Construct::Unary | Construct::Assignment | Construct::Particular => false,
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
        match self.vocabulary.policy.leaves {
            LeafPolicy::Places => self.any_leaf(kind, depth),
            LeafPolicy::Seen => self.seen_leaf(kind),
        }
    }

    fn any_leaf(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let is_own = |place: &Place| place.kind == Stage::kind(kind);
        let own = self.readable(is_own);
        if !own.is_empty() && self.choices.chance(3, 4)? {
            let place = *self.choices.pick(&own)?;
            return self.reading(place);
        }
        // Of another type: there is hardly a variable of each.
        let castable = self.castable(kind);
        let others = self.readable(|place| castable & self.stage.word_in(*place).bit() != 0);
        if depth == 0 && !others.is_empty() && self.choices.chance(3, 4)? {
            let place = *self.choices.pick(&others)?;
            let operand = self.reading(place)?;
            let kind = Stage::kind(kind);
            return Ok(self.stage.add(Expression::Cast { kind, operand }));
        }
        let value = any_word(kind, self.choices)?;
        Ok(self.stage.word(kind, &value))
    }

    fn readable(&self, will_do: impl Fn(&Place) -> bool) -> Vec<Place> {
        let fitting = self.scope.iter().filter(|place| will_do(place));
        let fitting = fitting.filter(|place| self.is_readable(place));
        fitting.copied().collect()
    }

    fn is_readable(&self, place: &Place) -> bool {
        !self
            .changed
            .iter()
            .any(|changed| changed.variable == place.variable)
    }

    fn reading(&mut self, place: Place) -> Result<ExpressionId, Reject> {
        self.read.insert(place.variable);
        self.stage.place(place)
    }

    /// Both operands. If they may be mixed, one of them may be of a type that
    /// converts, or the right one a literal from `least` on.
    fn operands(
        &mut self,
        kind: Elementary,
        depth: u32,
        least: u64,
    ) -> Result<(ExpressionId, ExpressionId), Reject> {
        if self.is_alike() {
            return Ok((self.term(kind, depth)?, self.term(kind, depth)?));
        }
        if NUMBERS & kind.bit() != 0 && self.choices.chance(1, 5)? {
            return Ok((self.term(kind, depth)?, self.small(least)?));
        }
        let narrow = self.source(kind)?;
        let (left, right) = match self.choices.below(2)? {
            0 => (kind, narrow),
            _ => (narrow, kind),
        };
        Ok((self.term(left, depth)?, self.term(right, depth)?))
    }

    /// True if all operands are of one type.
    fn is_alike(&self) -> bool {
        self.vocabulary.policy.operands == OperandPolicy::Alike
    }

    fn arithmetic(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let op = draw_operator(self.choices, self.vocabulary.policy.operators, kind)?;
        let (left, right) = self.operands(kind, depth, 1)?;
        // Operands of one type are corrected when their values are known.
        let right = match self.is_alike() {
            true => right,
            false => self.divisor(op, right, kind),
        };
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    /// A literal without a type.
    fn small(&mut self, least: u64) -> Result<ExpressionId, Reject> {
        let value = self.choices.between(least, SMALL)?;
        Ok(self.stage.add(number(value)))
    }

    /// The compiler refuses to divide by what it knows to be zero.
    pub(crate) fn divisor(
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
        if self.is_alike() {
            let right = self.term(Elementary::uint(8), depth)?;
            let left = self.term(kind, depth)?;
            return Ok(self.stage.add(Expression::Binary { op, left, right }));
        }
        let left = self.term(kind, depth)?;
        let right = self.amount(UINTS, depth)?;
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    fn power(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let op = BinaryOp::Power;
        if self.is_alike() {
            let (left, right) = self.operands(kind, depth, 0)?;
            return Ok(self.stage.add(Expression::Binary { op, left, right }));
        }
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
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    /// By how much something is shifted, or to which power it is raised.
    pub(crate) fn amount(&mut self, kinds: Domain, depth: u32) -> Result<ExpressionId, Reject> {
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
        let kind = match self.is_alike() {
            true => self.seen_kind()?,
            false => self.any_kind(NUMBERS | FIXED | ADDRESSES)?,
        };
        let op = draw_operator(self.choices, &COMPARISONS, kind)?;
        let (left, right) = self.operands(kind, depth, 0)?;
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
            return Ok(self.stage.add(number(value)));
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
        if self.is_alike() {
            return self.convert(kind, depth);
        }
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
    fn changeable(&self, kind: Elementary) -> impl Iterator<Item = Place> {
        self.scope.iter().copied().filter(move |place| {
            self.effects
                && place.kind == Stage::kind(kind)
                && self.is_readable(place)
                && !self.read.contains(&place.variable)
        })
    }

    fn change(&mut self, kind: Elementary) -> Result<ExpressionId, Reject> {
        let places: Vec<Place> = self.changeable(kind).collect();
        let place = *self.choices.pick(&places)?;
        let op = *self.choices.pick(&STEPS)?;
        let operand = self.stage.place(place)?;
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
        // Who calls the contract must not see the functions of new code.
        let external = !self.is_alike() && self.choices.chance(1, 4)?;
        let function = self.stage_function(&parameters, kind, external);
        let scope = parameters.iter().map(|id| {
            let kind = self.stage.ast[*id].kind;
            Place::of(*id, kind, Location::Memory)
        });
        let scope: Vec<Place> = scope.collect();
        let outer = std::mem::replace(&mut self.scope, scope);
        let arrays = std::mem::take(&mut self.arrays);
        let seen = std::mem::take(&mut self.seen);
        let (calls, effects) = (self.calls, self.effects);
        (self.calls, self.effects) = (false, false);
        let owner = std::mem::replace(&mut self.stage.owner, Owner::Function(function));
        let body = self.source(kind).and_then(|kind| self.term(kind, depth));
        let returned = body.map(|body| self.stage.statement(Statement::Return(vec![body])));
        (self.calls, self.effects) = (calls, effects);
        self.stage.owner = owner;
        (self.scope, self.arrays, self.seen) = (outer, arrays, seen);
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
