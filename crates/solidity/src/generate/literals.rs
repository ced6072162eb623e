//! Literals, and the values of words that are written out with their types.

use dashu_int::IBig;
use lydite_core::{Choices, Reject};

use super::Generator;
use super::options::Part;
use super::places::number;
use crate::ast::{Expression, ExpressionId, Literal, Notation};
use crate::interpret::{holds, range, wrapped};
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

/// A value of a type: often one at an end of its range, or a small one.
pub(crate) fn any_word(kind: Elementary, choices: &mut Choices) -> Result<IBig, Reject> {
    let (least, greatest) = range(kind);
    Ok(match (kind.family(), choices.below(6)?) {
        (Family::Bool, pick) => IBig::from(pick % 2),
        (_, 0) => least,
        (_, 1) => greatest,
        (_, 2 | 3) => wrapped(kind, &(IBig::from(choices.below(20)?) - IBig::from(4))),
        _ => {
            let mut number = IBig::ZERO;
            for _ in 0..4 {
                number = (number << 64) + IBig::from(choices.between(0, u64::MAX)?);
            }
            wrapped(kind, &number)
        }
    })
}

/// A value at an end of the range of a type, a small one, or one beside what
/// was seen in one of these columns.
pub(super) fn word_beside(
    kind: Elementary,
    seen: &[Vec<IBig>],
    columns: &[usize],
    choices: &mut Choices,
) -> Result<IBig, Reject> {
    let (least, greatest) = range(kind);
    let value = match choices.below(6)? {
        0 => least,
        1 => greatest,
        2 | 3 if !columns.is_empty() && !seen.is_empty() => {
            let values = choices.pick(seen)?;
            let near = IBig::from(choices.below(3)?) - IBig::ONE;
            &values[*choices.pick(columns)?] + near
        }
        _ => IBig::from(choices.below(9)?),
    };
    Ok(match holds(kind, &value) {
        true => value,
        false => IBig::ZERO,
    })
}

impl Generator<'_> {
    pub(super) fn number(&mut self, value: u64) -> ExpressionId {
        self.expression(number(value))
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
