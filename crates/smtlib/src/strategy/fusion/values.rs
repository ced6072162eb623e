//! Values of a sort as text: those where functions go wrong, and random ones.

use lydite_core::{Choices, Reject};

use super::table::tokens;
use crate::value::{BitVec, Float, Format, Natural};

/// Wider bit-vectors and floats are not written down.
const MAX_WIDTH: u32 = 1 << 14;

/// A value of a sort that is written like `(_ BitVec 8)`; none if no value of
/// it can be written.
pub(super) fn value(sort: &str, choices: &mut Choices) -> Result<Option<String>, Reject> {
    let words: Vec<&str> = tokens(sort).collect();
    of_sort(&words, choices)
}

/// Sorts come from [`crate::typing::Typed::show`], which cuts long ones: the
/// recursion is as shallow as they are.
fn of_sort(sort: &[&str], choices: &mut Choices) -> Result<Option<String>, Reject> {
    let numeral = |word: &str| word.parse::<u32>().unwrap_or(0);
    Ok(match sort {
        ["Bool"] => Some(choices.pick(&["false", "true"])?.to_string()),
        ["Int"] => Some(int(choices)?),
        ["Real"] => Some(real(choices)?),
        ["String"] => Some(string(choices)?),
        ["RoundingMode"] => Some(
            choices
                .pick(&["RNE", "RNA", "RTP", "RTN", "RTZ"])?
                .to_string(),
        ),
        ["(", "_", "BitVec", width, ")"] => bits(numeral(width), choices)?,
        ["(", "_", "FloatingPoint", eb, sb, ")"] => float(numeral(eb), numeral(sb), choices)?,
        ["(", "Array", rest @ .., ")"] => {
            let (index, element) = rest.split_at(item_len(rest));
            let mut array = match of_sort(element, choices)? {
                Some(default) => format!("((as const {}) {default})", sort.join(" ")),
                None => return Ok(None),
            };
            for _ in 0..choices.below(3)? {
                match (of_sort(index, choices)?, of_sort(element, choices)?) {
                    (Some(at), Some(element)) => array = format!("(store {array} {at} {element})"),
                    _ => return Ok(None),
                }
            }
            Some(array)
        }
        ["(", "Seq", element @ .., ")"] => {
            let mut items = vec![format!("(as seq.empty {})", sort.join(" "))];
            for _ in 0..choices.below(4)? {
                match of_sort(element, choices)? {
                    Some(item) => items.push(format!("(seq.unit {item})")),
                    None => return Ok(None),
                }
            }
            Some(match &items[..] {
                [empty] => empty.clone(),
                [_, unit] => unit.clone(),
                items => format!("(seq.++ {})", items[1..].join(" ")),
            })
        }
        _ => None,
    })
}

/// How many words the first sort of a list takes.
pub(super) fn item_len(words: &[&str]) -> usize {
    let mut depth = 0usize;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    words.len()
}

fn signed(magnitude: &str, negative: bool) -> String {
    match negative {
        true => format!("(- {magnitude})"),
        false => magnitude.to_string(),
    }
}

fn int(choices: &mut Choices) -> Result<String, Reject> {
    let magnitude = match choices.below(8)? {
        0..4 => choices.below(4)?,
        4..7 => choices.below(40)?,
        _ => choices.below(1 << 40)?,
    };
    let negative = choices.chance(1, 2)? && magnitude > 0;
    Ok(signed(&magnitude.to_string(), negative))
}

fn real(choices: &mut Choices) -> Result<String, Reject> {
    let whole = match choices.below(3)? {
        0 | 1 => choices.below(4)?,
        _ => choices.below(60)?,
    };
    let tenths = match choices.below(2)? {
        0 => 0,
        _ => choices.below(10)?,
    };
    let negative = choices.chance(1, 2)? && whole + tenths > 0;
    Ok(signed(&format!("{whole}.{tenths}"), negative))
}

fn string(choices: &mut Choices) -> Result<String, Reject> {
    let letters = ["a", "b", "a", "0", "1", "-", "\"\"", "\\u{2ffff}"];
    let len = choices.below(5)?;
    let mut text = String::from("\"");
    for _ in 0..len {
        text.push_str(choices.pick(&letters)?);
    }
    text.push('"');
    Ok(text)
}

fn bits(width: u32, choices: &mut Choices) -> Result<Option<String>, Reject> {
    if width > MAX_WIDTH {
        return Ok(None);
    }
    let word = |choices: &mut Choices| choices.between(0, u64::MAX);
    let small = Natural::from(choices.below(4)?);
    let number = match choices.below(4)? {
        0 => small,
        1 => (Natural::ONE << width.saturating_sub(1) as usize) + small,
        2 => (Natural::ONE << width as usize) + Natural::from(4u8) - small - Natural::ONE,
        _ => {
            let mut number = Natural::ZERO;
            for _ in 0..width.div_ceil(64).min(64) {
                number = (number << 64) + Natural::from(word(choices)?);
            }
            number
        }
    };
    Ok(BitVec::new(width, number).ok().map(|bits| bits.to_string()))
}

fn float(eb: u32, sb: u32, choices: &mut Choices) -> Result<Option<String>, Reject> {
    let Ok(format) = Format::new(eb, sb) else {
        return Ok(None);
    };
    if format.width() > MAX_WIDTH {
        return Ok(None);
    }
    let fraction = sb.saturating_sub(1) as usize;
    let exponents = Natural::ones(eb as usize);
    let kind = choices.below(6)?;
    let noise = Natural::from(choices.below(1 << 20)?);
    let negative = choices.chance(1, 2)?;
    let magnitude = match kind {
        // Zero, the least, infinity, NaN, one, anything.
        0 => Natural::ZERO,
        1 => Natural::ONE,
        2 => exponents << fraction,
        3 => (exponents << fraction) + Natural::ONE,
        4 => Natural::ones(eb.saturating_sub(1) as usize) << fraction,
        _ => noise,
    };
    let sign = Natural::from(u8::from(negative)) << format.width().saturating_sub(1) as usize;
    let bits = BitVec::new(format.width(), magnitude | sign);
    let float = bits.and_then(|bits| Float::from_bits(format, &bits));
    Ok(float.ok().map(|float| float.to_string()))
}
