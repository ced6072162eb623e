//! Terms among variables that were seen at work: leaves and conversions.

use lydite_core::Reject;

use super::literals::word_beside;
use super::stage::Stage;
use super::terms::{STEPS, Terms};
use crate::ast::{Expression, ExpressionId};
use crate::types::{Elementary, Family, NUMBERS};

/// Types that are drawn whether or not a variable has them.
const SOME_KINDS: [Elementary; 6] = [
    Elementary::uint(8),
    Elementary::int(16),
    Elementary::UINT256,
    Elementary::fixed_bytes(4),
    Elementary::BOOL,
    Elementary::int(256),
];

impl Terms<'_> {
    /// The variables of a type, by their places in the scope.
    fn alike(&self, kind: Elementary) -> Vec<usize> {
        let is_own = |at: &usize| self.scope[*at].kind == Stage::kind(kind);
        (0..self.scope.len()).filter(is_own).collect()
    }

    pub(super) fn seen_leaf(&mut self, kind: Elementary) -> Result<ExpressionId, Reject> {
        let own = self.alike(kind);
        if own.is_empty() || self.choices.chance(1, 4)? {
            return self.seen_word(kind);
        }
        let place = self.scope[*self.choices.pick(&own)?];
        if self.changeable.contains(&place.variable) {
            // Changed or read, but not twice.
            if !self.free.remove(&place.variable) {
                return self.seen_word(kind);
            }
            if NUMBERS & kind.bit() != 0 && self.choices.chance(1, 2)? {
                let op = *self.choices.pick(&STEPS)?;
                let operand = self.stage.place(place)?;
                return Ok(self.stage.add(Expression::Unary { op, operand }));
            }
        }
        self.stage.place(place)
    }

    pub(super) fn seen_word(&mut self, kind: Elementary) -> Result<ExpressionId, Reject> {
        let own = self.alike(kind);
        let value = word_beside(kind, self.seen, &own, self.choices)?;
        Ok(self.stage.word(kind, &value))
    }

    /// A type of some variable in scope, or another one.
    pub(super) fn seen_kind(&mut self) -> Result<Elementary, Reject> {
        match self.scope.is_empty() || self.choices.chance(1, 6)? {
            true => Ok(*self.choices.pick(&SOME_KINDS)?),
            false => {
                let place = *self.choices.pick(&self.scope)?;
                Ok(self.stage.word_in(place))
            }
        }
    }

    /// A term of another type, converted: between types without a direct
    /// conversion step by step, and by way of `?:` where `bool` is one of them.
    pub(super) fn convert(&mut self, kind: Elementary, depth: u32) -> Result<ExpressionId, Reject> {
        let from = self.seen_kind()?;
        let mut converted = self.term(from, depth)?;
        if from == Elementary::BOOL && kind != from {
            let condition = converted;
            let (yes, no) = (self.seen_word(kind)?, self.seen_word(kind)?);
            let choice = Expression::Conditional { condition, yes, no };
            return Ok(self.stage.add(choice));
        }
        for step in pathway(from, kind) {
            let (kind, operand) = (Stage::kind(step), converted);
            converted = self.stage.add(Expression::Cast { kind, operand });
        }
        Ok(converted)
    }
}

/// The types on the way from one type to another, each converted directly to
/// the next by every version of the language.
fn pathway(from: Elementary, to: Elementary) -> Vec<Elementary> {
    let number = |kind: Elementary| match kind.family() {
        Family::Address => Elementary::uint(160),
        Family::FixedBytes | Family::Int => Elementary::uint(u16::from(kind.size()) * 8),
        _ => kind,
    };
    if from.family() == to.family() {
        return if from == to { Vec::new() } else { vec![to] };
    }
    let mut way = vec![number(from), number(to), to];
    way.dedup();
    if way.first() == Some(&from) {
        way.remove(0);
    }
    way
}
