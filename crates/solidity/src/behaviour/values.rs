//! Values of elementary types, drawn.

use dashu_int::IBig;
use lydite_core::{Choices, Reject};

use crate::interpret::{range, wrapped};
use crate::types::{Elementary, Family};

/// A value of a type: often one at an end of its range, or a small one.
pub(super) fn any_word(kind: Elementary, choices: &mut Choices) -> Result<IBig, Reject> {
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
