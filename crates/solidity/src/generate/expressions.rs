//! Expressions, top-down: what is wanted first, then how it is made.

use lydite_core::Reject;

use super::Generator;
use super::context::ANYWHERE;
use super::options::Part;
use super::policy::{COMPOSITE, Construct, OPEN, draw_operator};
use super::types::Wanted;
use super::weights::Draw;
use crate::ast::{BinaryOp, Expression, ExpressionId, Owner, Shape, Type, TypeId, UnaryOp};
use crate::qualify::Relation;
use crate::types::{Domain, Elementary, Family, Location, values};
use crate::version::Feature;

const MEMORY: Domain = Location::Memory.bit();

impl Generator<'_> {
    /// An expression that converts to what is wanted; its data, if it is of a
    /// reference type, is within these locations. `direct`: it is handed over
    /// as it is, so that a literal may be of any size that fits.
    pub(super) fn value(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
        direct: bool,
    ) -> Result<ExpressionId, Reject> {
        if direct
            && let Wanted::Elementary(kind) = wanted
            && self.percent(if depth == 0 { 50 } else { 20 })?
            && let Some(literal) = self.literal(kind, within, true)?
        {
            return Ok(literal);
        }
        self.typed_value(wanted, within, depth)
    }

    /// The same, but no literal whose type depends on what stands beside it.
    pub(super) fn typed_value(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<ExpressionId, Reject> {
        let within = self.copyable_from(wanted, within);
        if depth > 0
            && self.frame.owner != Owner::Initializer
            && self.often(Draw::Operations)?
            && let Some(value) = self.operation(wanted, within, depth)?
        {
            return Ok(value);
        }
        self.identifier(wanted, within, depth)
    }

    /// Where a value may come from if it may have to be copied to memory:
    /// not every version can do that with what is in calldata.
    fn copyable_from(&self, wanted: Wanted, within: Domain) -> Domain {
        let Wanted::Type(kind) = wanted else {
            return within;
        };
        let is_sequence = |own| self.witness_type(own).is_reference();
        let needed = self.ast.copied_by(self.ast[kind], is_sequence);
        match needed.is_some_and(|needed| !self.has(needed)) && within & MEMORY != 0 {
            true => within & !Location::Calldata.bit(),
            false => within,
        }
    }

    /// Something that is there already, or else new.
    pub(super) fn identifier(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<ExpressionId, Reject> {
        let accesses = self.accesses(false, |kind, location, _| {
            self.fits(kind, wanted) && (!self.is_reference(kind) || within & location.bit() != 0)
        });
        let known = !accesses.is_empty();
        if known && !(self.percent(8)? && self.has_place(wanted, within)) {
            let access = *self.choices.pick(&accesses)?;
            return self.follow(access, depth);
        }
        if let Some(value) = self.plain(wanted, within, depth)? {
            return Ok(value);
        }
        self.update_context(wanted, within)
    }

    /// A value that needs no variable and has a type of its own.
    fn plain(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let alone = self.frame.owner == Owner::Initializer;
        match wanted {
            Wanted::Elementary(kind) => {
                if alone || kind == Elementary::BOOL || self.percent(15)? {
                    let typed = !matches!(kind.family(), Family::Uint | Family::Int);
                    if typed && !kind.is_reference() || alone {
                        let typed_text = kind.family() != Family::FixedBytes || alone;
                        if typed_text {
                            return self.literal(kind, within, false);
                        }
                    }
                }
                Ok(None)
            }
            Wanted::Type(id) => match self.ast[id] {
                Type::Enum(id) => {
                    let member = self.choices.below(u64::from(self.ast[id].members))? as u8;
                    Ok(Some(self.expression(Expression::EnumMember(id, member))))
                }
                Type::Value(id) => {
                    let kind = self.witness_type(self.ast[id].underlying);
                    let value = self.value(
                        Wanted::Elementary(kind),
                        ANYWHERE,
                        depth.saturating_sub(1),
                        true,
                    )?;
                    Ok(Some(self.expression(Expression::Wrap(id, value))))
                }
                Type::Struct(id) if !alone && depth > 0 && within & MEMORY != 0 => {
                    let fields = self.ast[id].fields.clone();
                    let mut arguments = Vec::new();
                    for field in fields {
                        let wanted = self.wanted(self.ast[field].kind);
                        arguments.push(self.value(wanted, ANYWHERE, depth - 1, true)?);
                    }
                    Ok(Some(self.expression(Expression::Struct { id, arguments })))
                }
                Type::Contract(contract) => self.contract_value(contract, id, depth),
                Type::Function(kind) if !alone => self.function_for(kind),
                _ => Ok(None),
            },
        }
    }

    /// An operator with what is wanted as its result, if there is one.
    fn operation(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        // The common type of two functions would depend on their mutabilities.
        if matches!(wanted, Wanted::Type(kind) if matches!(self.ast[kind], Type::Function(_))) {
            return Ok(None);
        }
        let kind = match wanted {
            Wanted::Elementary(kind) => kind.bit(),
            Wanted::Type(_) => COMPOSITE,
        };
        let weigh = |(_, among, draw): &(Construct, Domain, Draw)| match among & kind != 0 {
            true => self.weight(*draw),
            false => 0,
        };
        let weights: Vec<u64> = OPEN.iter().map(weigh).collect();
        // What factors leave nothing of is a variable or a literal.
        if weights.iter().all(|weight| *weight == 0) {
            return Ok(None);
        }
        match OPEN[self.choices.weighted(&weights)?].0 {
            Construct::Arithmetic => self.arithmetic(wanted, depth),
            Construct::Comparison => self.comparison(depth),
            Construct::Unary => self.unary(wanted, depth),
            Construct::Conditional => self.choice_of(wanted, within, depth).map(Some),
            Construct::Call => self.call_for(wanted, within, depth),
            Construct::Cast => self.cast(wanted, within, depth),
            Construct::Assignment => self.assignment_for(wanted, within, depth),
            Construct::Particular => self.particular_operation(wanted, within, depth),
            // These are parts of the above, or for terms alone.
            Construct::Shift
            | Construct::Power
            | Construct::Complement
            | Construct::Negation
            | Construct::Logic
            | Construct::Not
            | Construct::Byte
            | Construct::Element
            | Construct::Change => Ok(None),
        }
    }

    fn choice_of(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<ExpressionId, Reject> {
        let condition = self.boolean(depth - 1)?;
        let within = self.joinable(within);
        let yes = self.typed_value(wanted, within, depth - 1)?;
        let no = self.typed_value(wanted, within, depth - 1)?;
        Ok(self.expression(Expression::Conditional { condition, yes, no }))
    }

    /// Arms of a conditional: in one location, so that they have a common
    /// one.
    fn joinable(&self, within: Domain) -> Domain {
        match within & MEMORY != 0 {
            true => MEMORY,
            false => within & within.wrapping_neg(),
        }
    }

    pub(super) fn boolean(&mut self, depth: u32) -> Result<ExpressionId, Reject> {
        self.value(Wanted::Elementary(Elementary::BOOL), ANYWHERE, depth, true)
    }

    fn arithmetic(&mut self, wanted: Wanted, depth: u32) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Elementary(kind) = wanted else {
            return Ok(None);
        };
        let unsigned = kind.family() == Family::Uint;
        let can_raise = self.has(Feature::SignedExponentBase);
        let usable = |op: &BinaryOp| {
            let shape = matches!(op.shape(), Shape::Arithmetic | Shape::Shift);
            shape && (*op != BinaryOp::Power || can_raise)
        };
        let ops: Vec<BinaryOp> = BinaryOp::ALL.into_iter().filter(usable).collect();
        let op = draw_operator(self.choices, &ops, kind)?;
        let left = self.typed_value(wanted, ANYWHERE, depth - 1)?;
        let right = match op.shape() {
            Shape::Shift => self.small_number(depth - 1)?,
            _ if !matches!(kind.family(), Family::FixedBytes) && self.percent(25)? => {
                match self.literal(kind, ANYWHERE, false)? {
                    Some(literal) if op != BinaryOp::Div && op != BinaryOp::Mod => literal,
                    // A literal zero is no divisor.
                    _ => self.number(if unsigned { 3 } else { 5 }),
                }
            }
            _ => self.variable_value(wanted, depth - 1)?,
        };
        Ok(Some(self.expression(Expression::Binary {
            op,
            left,
            right,
        })))
    }

    /// An amount to shift by: unsigned.
    fn small_number(&mut self, depth: u32) -> Result<ExpressionId, Reject> {
        if self.percent(40)? {
            let value = self.choices.below(9)?;
            return Ok(self.number(value));
        }
        self.variable_value(Wanted::Elementary(Elementary::UINT256), depth)
    }

    /// A value that the compiler does not compute.
    pub(super) fn variable_value(
        &mut self,
        wanted: Wanted,
        depth: u32,
    ) -> Result<ExpressionId, Reject> {
        let outer = std::mem::replace(&mut self.frame.no_constants, true);
        let value = self.typed_value(wanted, ANYWHERE, depth);
        self.frame.no_constants = outer;
        value
    }

    fn comparison(&mut self, depth: u32) -> Result<Option<ExpressionId>, Reject> {
        let comparing = |op: &BinaryOp| matches!(op.shape(), Shape::Comparison | Shape::Logic);
        let ops: Vec<BinaryOp> = BinaryOp::ALL.into_iter().filter(comparing).collect();
        let op = *self.choices.pick(&ops)?;
        if op.shape() == Shape::Logic {
            let left = self.boolean(depth - 1)?;
            let right = self.boolean(depth - 1)?;
            return Ok(Some(self.expression(Expression::Binary {
                op,
                left,
                right,
            })));
        }
        let kind = self.pick_elementary(op.operands() & self.values_only())?;
        let wanted = Wanted::Elementary(kind);
        let left = self.typed_value(wanted, ANYWHERE, depth - 1)?;
        let number = matches!(kind.family(), Family::Uint | Family::Int | Family::Bool);
        let right = match number && self.percent(30)? {
            true => self.literal(kind, ANYWHERE, false)?,
            false => None,
        };
        let right = match right {
            Some(right) => right,
            None => self.typed_value(wanted, ANYWHERE, depth - 1)?,
        };
        Ok(Some(self.expression(Expression::Binary {
            op,
            left,
            right,
        })))
    }

    fn unary(&mut self, wanted: Wanted, depth: u32) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Elementary(kind) = wanted else {
            return Ok(None);
        };
        let mut ops = vec![UnaryOp::Not, UnaryOp::BitNot, UnaryOp::Negate];
        ops.extend([
            UnaryOp::Increment,
            UnaryOp::Decrement,
            UnaryOp::PostIncrement,
            UnaryOp::PostDecrement,
        ]);
        ops.retain(|op| op.operands(self.dialect) & kind.bit() != 0);
        let op = *self.choices.pick(&ops)?;
        if !op.assigns() {
            let operand = self.typed_value(wanted, ANYWHERE, depth - 1)?;
            return Ok(Some(self.expression(Expression::Unary { op, operand })));
        }
        let numbers = op.operands(self.dialect);
        let accesses = self.accesses(true, |own, _, _| {
            self.fits(own, wanted) && self.is_within(own, numbers)
        });
        if accesses.is_empty() {
            return Ok(None);
        }
        let access = *self.choices.pick(&accesses)?;
        let operand = self.follow(access, depth - 1)?;
        Ok(Some(self.expression(Expression::Unary { op, operand })))
    }

    pub(super) fn is_within(&self, kind: TypeId, domain: Domain) -> bool {
        let own = self.elementary_of(kind);
        own.is_some_and(|own| self.witness_type(own).bit() & domain != 0)
    }

    /// An explicit conversion of something whose type is known exactly.
    fn cast(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Elementary(to) = wanted else {
            return Ok(None);
        };
        let sources = values(self.types).filter(|&from| {
            self.theory.holds(Relation::Casts, from, to.number())
                && Elementary::from_number(from).is_reference() == to.is_reference()
        });
        let sources = sources.fold(0, |set: Domain, from| set | 1 << from);
        if sources & self.types == 0 {
            return Ok(None);
        }
        let accesses = self.accesses(false, |kind, location, _| {
            self.is_within(kind, sources) && (!to.is_reference() || within & location.bit() != 0)
        });
        if accesses.is_empty() {
            return Ok(None);
        }
        let access = *self.choices.pick(&accesses)?;
        let operand = self.follow(access, depth - 1)?;
        let kind = self.leaf(to);
        Ok(Some(self.expression(Expression::Cast { kind, operand })))
    }

    /// `(v = e)` as a value.
    fn assignment_for(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        if matches!(wanted, Wanted::Elementary(kind) if kind.is_reference()) && within & MEMORY == 0
        {
            return Ok(None);
        }
        let accesses = self.accesses(true, |kind, location, _| {
            self.fits(kind, wanted) && !self.is_reference(kind) && location != Location::Calldata
        });
        if accesses.is_empty() {
            return Ok(None);
        }
        let access = *self.choices.pick(&accesses)?;
        Ok(Some(self.assign(access, depth - 1)?))
    }

    pub(super) fn allows(&self, part: Part) -> bool {
        self.options.features.has(part)
    }

    /// One of the many ways that only some types have, if there is one here.
    fn particular_operation(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        if matches!(wanted, Wanted::Type(_)) {
            return match self.choices.below(5)? {
                0 => self.getter(wanted, within, depth),
                1 => self.fresh_array(wanted, within, depth),
                2 => self.inline_array(wanted, within, depth),
                3 => self.slice(wanted, within),
                _ => self.operator_for(wanted, depth),
            };
        }
        let rows = [
            Draw::Environment,
            Draw::Getters,
            Draw::Unwraps,
            Draw::PartsOfBytes,
            Draw::Encodings,
            Draw::Intrinsics,
            Draw::Limits,
            Draw::TypeFacts,
            Draw::Slices,
            Draw::OperatorCalls,
        ];
        let weights = rows.map(|draw| self.weight(draw));
        if weights.iter().all(|weight| *weight == 0) {
            return Ok(None);
        }
        match self.choices.weighted(&weights)? {
            0 => self.environment(wanted, within),
            1 => self.getter(wanted, within, depth),
            2 => self.unwrap_for(wanted, depth),
            3 => self.part_of_bytes(wanted, depth),
            4 => self.encoded(wanted, within, depth),
            5 => self.intrinsic(wanted, within, depth),
            6 => self.limit(wanted),
            7 => self.fact(wanted, within),
            8 => self.slice(wanted, within),
            _ => self.operator_for(wanted, depth),
        }
    }

    /// A value without a new variable, for arguments that stand before a
    /// body.
    pub(super) fn constant_value(&mut self, wanted: Wanted) -> Result<ExpressionId, Reject> {
        let own = self.accesses(false, |kind, _, is_variable| {
            is_variable && self.fits(kind, wanted) && !self.is_reference(kind)
        });
        if !own.is_empty() && self.percent(50)? {
            let access = *self.choices.pick(&own)?;
            return self.follow(access, 0);
        }
        let literal = match wanted {
            Wanted::Elementary(kind) => self.literal(kind, ANYWHERE, true)?,
            Wanted::Type(_) => None,
        };
        literal.ok_or(Reject::NotApplicable("a type without literals"))
    }
}
