//! Data by its types: what contracts return and tell, as text.
//!
//! Data comes from the contract under test and may claim anything: an array
//! whose elements are arrays at one and the same place unfolds to more than
//! any memory holds. So it is written down directly, in one pass with a budget
//! for all values together; what does not fit its type, or the budget, is
//! written as bytes.

use std::fmt::Write;

use revm::primitives::{Address, B256, I256, U256, hex};

use crate::abi_type::AbiType;
use crate::interface::Declaration;

/// How many values one piece of data may unfold to.
const VALUES: usize = 10_000;

/// `(1, true, "text")`, or nothing if the data are not of these types.
pub(crate) fn tuple_text(types: &[AbiType], data: &[u8]) -> Option<String> {
    let mut text = String::new();
    let mut left = VALUES;
    write_tuple(types, data, 0, &mut left, &mut text)?;
    Some(text)
}

/// Bytes in hexadecimal, or where there are more than `limit` their number
/// and a digest.
pub(crate) fn bytes_text(data: &[u8], limit: usize) -> String {
    match data.len() <= limit {
        true => format!("0x{}", hex::encode(data)),
        false => {
            let digest = blake3::hash(data).to_hex();
            format!("{} bytes {}", data.len(), &digest[..16])
        }
    }
}

/// An event by its declaration: indexed values that are only there as a hash
/// are written as that.
pub(crate) fn event_text(event: &Declaration, topics: &[B256], data: &[u8]) -> Option<String> {
    let mut topics = topics.iter().skip(usize::from(!event.anonymous));
    let mut left = VALUES;
    let mut parts = Vec::new();
    let mut offset = 0;
    for (of, indexed) in event.inputs.iter().zip(&event.indexed) {
        let mut text = String::new();
        if *indexed {
            let topic = topics.next()?;
            match of.is_word() {
                true => write_value(of, topic.as_slice(), 0, 0, &mut left, &mut text)?,
                false => text = format!("hash {topic}"),
            }
        } else {
            write_value(of, data, 0, offset, &mut left, &mut text)?;
            offset += of.head_bytes()?;
        }
        parts.push(text);
    }
    topics
        .next()
        .is_none()
        .then(|| format!("{}({})", event.name, parts.join(", ")))
}

fn write_tuple(
    types: &[AbiType],
    data: &[u8],
    base: usize,
    left: &mut usize,
    text: &mut String,
) -> Option<()> {
    let mut offset = base;
    text.push('(');
    for (at, of) in types.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        write_value(of, data, base, offset, left, text)?;
        offset = offset.checked_add(of.head_bytes()?)?;
    }
    text.push(')');
    Some(())
}

/// Writes the value whose head is at `offset`; a place in it counts from
/// `base`. The depth is that of the type, which is the compiler's.
fn write_value(
    of: &AbiType,
    data: &[u8],
    base: usize,
    offset: usize,
    left: &mut usize,
    text: &mut String,
) -> Option<()> {
    *left = left.checked_sub(1)?;
    let at = match of.is_dynamic() {
        true => base.checked_add(length(data, offset)?)?,
        false => offset,
    };
    match of {
        AbiType::Bytes | AbiType::String => {
            let start = at.checked_add(32)?;
            let bytes = data.get(start..start.checked_add(length(data, at)?)?)?;
            match (of, std::str::from_utf8(bytes)) {
                (AbiType::String, Ok(string)) => write!(text, "{string:?}").ok()?,
                _ => write!(text, "0x{}", hex::encode(bytes)).ok()?,
            }
        }
        AbiType::Array(of) => {
            let start = at.checked_add(32)?;
            write_list(of, length(data, at)?, data, start, left, text)?;
        }
        AbiType::FixedArray(of, count) => write_list(of, *count, data, at, left, text)?,
        AbiType::Tuple(types) => write_tuple(types, data, at, left, text)?,
        _ => write_word(of, data.get(at..at.checked_add(32)?)?, text)?,
    }
    Some(())
}

fn write_list(
    of: &AbiType,
    count: usize,
    data: &[u8],
    base: usize,
    left: &mut usize,
    text: &mut String,
) -> Option<()> {
    let size = of.head_bytes()?;
    text.push('[');
    for number in 0..count {
        if number > 0 {
            text.push_str(", ");
        }
        let offset = base.checked_add(size.checked_mul(number)?)?;
        write_value(of, data, base, offset, left, text)?;
    }
    text.push(']');
    Some(())
}

/// Padding that should be zero and is not is shown: it is the compiler's.
fn write_word(of: &AbiType, word: &[u8], text: &mut String) -> Option<()> {
    let number = U256::from_be_slice(word);
    let fits = match of {
        AbiType::Bool => number <= U256::from(1),
        AbiType::Uint(bits) => number.bit_len() <= *bits,
        AbiType::Int(bits) => {
            let signed = I256::from_raw(number);
            let magnitude = if signed.is_negative() {
                !number
            } else {
                number
            };
            magnitude.bit_len() < *bits
        }
        AbiType::Address => number.bit_len() <= 160,
        AbiType::FixedBytes(count) => word[*count..].iter().all(|byte| *byte == 0),
        AbiType::Function => word[24..].iter().all(|byte| *byte == 0),
        _ => return None,
    };
    if !fits {
        return write!(text, "dirty 0x{}", hex::encode(word)).ok();
    }
    match of {
        AbiType::Bool => write!(text, "{}", number == U256::from(1)),
        AbiType::Uint(_) => write!(text, "{number}"),
        AbiType::Int(_) => write!(text, "{}", I256::from_raw(number)),
        AbiType::Address => write!(text, "0x{}", hex::encode(Address::from_slice(&word[12..]))),
        AbiType::FixedBytes(count) => write!(text, "0x{}", hex::encode(&word[..*count])),
        _ => write!(text, "0x{}", hex::encode(&word[..24])),
    }
    .ok()
}

/// A place or a length: larger than any data means nothing.
fn length(data: &[u8], at: usize) -> Option<usize> {
    let word = data.get(at..at.checked_add(32)?)?;
    let number = U256::from_be_slice(word);
    usize::try_from(number)
        .ok()
        .filter(|number| *number <= data.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi_type::tests::parsed;
    use crate::encode::encode_arguments;

    #[test]
    fn encoded_values_are_written_as_literals() {
        for (types, literal) in [
            ("(uint256,bool)", "(7, true)"),
            ("(int8,int256)", "(-128, -1)"),
            ("(string,bytes)", "(\"a b\", 0x0102)"),
            ("(uint8[],uint8[2])", "([1, 2, 3], [4, 5])"),
            (
                "((string,uint8)[],bytes3)",
                "([(\"x\", 1), (\"\", 2)], 0xabcdef)",
            ),
            ("(string[2],uint8[][])", "([\"a\", \"b\"], [[], [1]])"),
            ("(address)", "(0x00000000000000000000000000000000000000ff)"),
        ] {
            let types = parsed(types);
            let data = encode_arguments(&types, literal).unwrap();
            assert_eq!(tuple_text(&types, &data).as_deref(), Some(literal));
        }
        let quoted = encode_arguments(&parsed("(string)"), "('a \"b\"')").unwrap();
        let text = tuple_text(&parsed("(string)"), &quoted);
        assert_eq!(text.as_deref(), Some("(\"a \\\"b\\\"\")"));
    }

    #[test]
    fn data_that_are_not_of_the_type_are_no_value() {
        let word = |number: u64| U256::from(number).to_be_bytes::<32>().to_vec();
        for (types, data) in [
            ("(uint256)", vec![0; 31]),
            ("(uint256,uint256)", word(1)),
            ("(string)", word(64)),
            ("(string)", [word(32), word(2)].concat()),
            ("(uint8[])", [word(32), vec![0xff; 32]].concat()),
            ("(uint8[])", vec![0xff; 32]),
        ] {
            assert_eq!(tuple_text(&parsed(types), &data), None, "{types}");
        }
    }

    #[test]
    fn bits_beyond_the_type_are_shown() {
        let text = |types: &str, data: &[u8]| tuple_text(&parsed(types), data).unwrap();
        assert!(text("(bool)", &U256::from(2).to_be_bytes::<32>()).starts_with("(dirty 0x"));
        assert!(text("(uint8)", &U256::from(256).to_be_bytes::<32>()).starts_with("(dirty 0x"));
        assert!(text("(int8)", &U256::from(128).to_be_bytes::<32>()).starts_with("(dirty 0x"));
        assert!(text("(bytes1)", &[1; 32]).starts_with("(dirty 0x"));
    }

    #[test]
    fn arrays_that_share_their_place_end_at_the_budget() {
        // 60 arrays, each of them the one array that comes next: 60^4 values in 8 KB.
        let mut data = U256::from(32).to_be_bytes::<32>().to_vec();
        for _ in 0..4 {
            data.extend(U256::from(60).to_be_bytes::<32>());
            for _ in 0..60 {
                data.extend(U256::from(60 * 32).to_be_bytes::<32>());
            }
        }
        assert_eq!(tuple_text(&parsed("(uint8[][][][])"), &data), None);
    }
}
