//! Literals.

use lydite_core::Reject;

use super::Generator;
use super::options::Part;
use crate::ast::{Expression, ExpressionId, Literal, Notation};
use crate::types::{Domain, Elementary, Family, Location, holding};
use crate::version::Feature;

/// Literals that are worth trying, smallest first.
const NUMBERS: [u64; 12] = [0, 1, 2, 7, 100, 127, 128, 255, 256, 65_535, 65_536, 1 << 40];

/// Literals up to here fit every integer type.
const SMALL: usize = 6;

/// The longest text that a literal has.
const LONGEST: u8 = 32;

/// How many bytes a Unicode text has beyond its letters.
const UNICODE_BYTES: u8 = 2;

impl Generator<'_> {
    pub(super) fn number(&mut self, value: u64) -> ExpressionId {
        let negative = false;
        self.expression(Expression::Literal(Literal::Number { value, negative }))
    }

    /// A literal that converts to the type; a `small` one fits every integer.
    pub(super) fn literal(
        &mut self,
        kind: Elementary,
        within: Domain,
        large: bool,
    ) -> Result<Option<ExpressionId>, Reject> {
        let literal = match kind.family() {
            Family::Bool => Literal::Bool(self.choices.below(2)? == 1),
            Family::Uint | Family::Int => {
                let negative = kind.family() == Family::Int && large && self.percent(25)?;
                let fitting = |value: &&u64| holding(**value, negative) & kind.bit() != 0;
                let some = if large { NUMBERS.len() } else { SMALL };
                let numbers: Vec<u64> = NUMBERS[..some].iter().filter(fitting).copied().collect();
                let value = *self.choices.pick(&numbers)?;
                let negative = negative && value > 0;
                Literal::Number { value, negative }
            }
            Family::FixedBytes => {
                if let Some(text) = self.notated(kind.size())? {
                    return Ok(Some(text));
                }
                Literal::Text(self.choices.between(1, u64::from(kind.size()))? as u8)
            }
            Family::String | Family::Bytes => {
                if within & Location::Memory.bit() == 0 {
                    return Ok(None);
                }
                if let Some(text) = self.notated(u8::MAX)? {
                    return Ok(Some(text));
                }
                Literal::Text(self.choices.below(33)? as u8)
            }
            Family::Address => {
                let payable = self.has(Feature::PayableSender);
                if kind == Elementary::PAYABLE && !payable {
                    return Ok(None);
                }
                Literal::Address(self.choices.below(4)? as u8)
            }
        };
        Ok(Some(self.expression(Expression::Literal(literal))))
    }

    /// A text in another notation, for what takes `longest` bytes at most.
    fn notated(&mut self, longest: u8) -> Result<Option<ExpressionId>, Reject> {
        if !self.allows(Part::Notations) || !self.percent(12)? {
            return Ok(None);
        }
        let unicode = self.has(Feature::UnicodeText) && longest > UNICODE_BYTES;
        let notation = match unicode && self.percent(50)? {
            true => Notation::Unicode,
            false => Notation::Hex,
        };
        let most = match notation {
            Notation::Hex => longest,
            Notation::Unicode => longest - UNICODE_BYTES,
        };
        let length = self.choices.between(1, u64::from(most.min(LONGEST)))? as u8;
        Ok(Some(self.expression(Expression::Text(notation, length))))
    }
}
