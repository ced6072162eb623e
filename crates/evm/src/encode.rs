//! Arguments, from the text of a transaction to data of the ABI.
//!
//! A value is written as the ABI's types have it: `12`, `-5`, `0xff`, `1.5 ether`,
//! `true`, `"text"`, `0x…` for addresses and bytes, `[1, 2]`, `(1, true)`.
//! A text may do without quotes where it holds no comma and no bracket.

use revm::primitives::{I256, U256, hex};

use crate::abi_type::{AbiType, type_names};

/// The units of numbers, by the power of ten.
const UNITS: [(&str, i64); 5] = [
    ("ether", 18),
    ("gwei", 9),
    ("nanoether", 9),
    ("nano", 9),
    ("wei", 0),
];

/// The data of arguments like `(1, true)`, without a selector.
pub(crate) fn encode_arguments(types: &[AbiType], arguments: &str) -> Result<Vec<u8>, String> {
    let mut reader = Reader {
        text: arguments.trim(),
        list_end: ')',
    };
    let encoded = match types.is_empty() && reader.text.is_empty() {
        true => Ok(Vec::new()),
        false => reader.tuple(types),
    };
    let whole = encoded.and_then(|data| match reader.text.is_empty() {
        true => Ok(data),
        false => Err(format!("`{}` is left over", shown(reader.text))),
    });
    whole.map_err(|why| format!("arguments of types ({}): {why}", type_names(types)))
}

/// What is not read yet.
struct Reader<'a> {
    text: &'a str,
    /// The bracket that ends the list which is being read.
    list_end: char,
}

impl<'a> Reader<'a> {
    /// The encoding of one value, without the place that its head may point to.
    fn value(&mut self, of: &AbiType) -> Result<Vec<u8>, String> {
        self.skip_spaces();
        match of {
            AbiType::Bool => match self.word() {
                "true" => Ok(number_word(1)),
                "false" => Ok(number_word(0)),
                other => Err(format!("`{}` is not true or false", shown(other))),
            },
            AbiType::Uint(bits) => {
                let (negative, number) = self.number()?;
                match !negative && number.bit_len() <= *bits {
                    true => Ok(number.to_be_bytes::<32>().to_vec()),
                    false => Err(format!("a number that is no uint{bits}")),
                }
            }
            AbiType::Int(bits) => {
                let (negative, number) = self.number()?;
                let signed = signed(negative, number, *bits);
                let signed = signed.ok_or_else(|| format!("a number that is no int{bits}"))?;
                Ok(signed.to_be_bytes::<32>().to_vec())
            }
            AbiType::FixedBytes(count) => self.fixed(*count).map(padded_behind),
            AbiType::Function => self.fixed(24).map(padded_behind),
            AbiType::Address => {
                let bytes = self.fixed(20)?;
                Ok([vec![0; 12], bytes].concat())
            }
            AbiType::Bytes => self.bytes().map(with_length),
            AbiType::String => self.string().map(|text| with_length(text.into())),
            AbiType::Array(of) => {
                let elements = self.list(of)?;
                Ok([number_word(elements.len()), joined(elements, of)].concat())
            }
            AbiType::FixedArray(of, count) => {
                let elements = self.list(of)?;
                match elements.len() == *count {
                    true => Ok(joined(elements, of)),
                    false => Err(format!("{} elements, not {count}", elements.len())),
                }
            }
            AbiType::Tuple(types) => self.tuple(types),
        }
    }

    fn tuple(&mut self, types: &[AbiType]) -> Result<Vec<u8>, String> {
        let outer = std::mem::replace(&mut self.list_end, ')');
        self.expect('(')?;
        let mut parts = Vec::new();
        for (at, of) in types.iter().enumerate() {
            if at > 0 {
                self.expect(',')?;
            }
            parts.push((of.is_dynamic(), self.value(of)?));
        }
        self.expect(')')?;
        self.list_end = outer;
        Ok(with_places(parts))
    }

    fn list(&mut self, of: &AbiType) -> Result<Vec<Vec<u8>>, String> {
        let outer = std::mem::replace(&mut self.list_end, ']');
        self.expect('[')?;
        let mut elements = Vec::new();
        while !self.take(']') {
            if !elements.is_empty() {
                self.expect(',')?;
            }
            elements.push(self.value(of)?);
        }
        self.list_end = outer;
        Ok(elements)
    }

    /// A number and whether it is negative.
    fn number(&mut self) -> Result<(bool, U256), String> {
        let negative = self.text.starts_with('-');
        if negative || self.text.starts_with('+') {
            self.text = &self.text[1..];
        }
        let text = self.until_end();
        let number = read_number(text.trim_end());
        let number = number.ok_or_else(|| format!("`{}` is not a number", shown(text)))?;
        Ok((negative, number))
    }

    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        let word = self.word();
        let digits = word.strip_prefix("0x").unwrap_or(word);
        match word.is_empty() {
            true => Err("bytes are missing (0x for none)".to_string()),
            false => {
                hex::decode(digits).map_err(|_| format!("`{}` is not hexadecimal", shown(word)))
            }
        }
    }

    fn fixed(&mut self, count: usize) -> Result<Vec<u8>, String> {
        let bytes = self.bytes()?;
        match bytes.len() == count {
            true => Ok(bytes),
            false => Err(format!("{} bytes, not {count}", bytes.len())),
        }
    }

    /// A text in quotes, in which nothing is escaped, or without.
    fn string(&mut self) -> Result<&'a str, String> {
        let quote = self.text.chars().next().filter(|c| ['"', '\''].contains(c));
        let Some(quote) = quote else {
            let text = self.until_end().trim_end();
            return match text.is_empty() {
                true => Err("a text is missing (\"\" for an empty one)".to_string()),
                false => Ok(text),
            };
        };
        let inner = &self.text[1..];
        let ended = inner.split_once(quote);
        let (text, rest) = ended.ok_or_else(|| format!("a text without its {quote}"))?;
        self.text = rest;
        Ok(text)
    }

    /// What is before the next comma or the end of the list.
    fn until_end(&mut self) -> &'a str {
        let end = self.text.find([',', self.list_end]);
        let (before, rest) = self.text.split_at(end.unwrap_or(self.text.len()));
        self.text = rest;
        before
    }

    /// Letters and digits.
    fn word(&mut self) -> &'a str {
        let end = self.text.find(|c: char| !c.is_ascii_alphanumeric());
        let (word, rest) = self.text.split_at(end.unwrap_or(self.text.len()));
        self.text = rest;
        word
    }

    fn skip_spaces(&mut self) {
        self.text = self.text.trim_start();
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        let rest = self.text.strip_prefix(wanted);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        match self.take(wanted) {
            true => Ok(()),
            false => Err(format!(
                "`{wanted}` is missing before `{}`",
                shown(self.text)
            )),
        }
    }
}

/// A number in base 2, 8, 10 or 16; one of base 10 may have a fraction, an
/// exponent and a unit, as long as it is whole.
fn read_number(text: &str) -> Option<U256> {
    for (prefix, base) in [
        ("0x", 16),
        ("0X", 16),
        ("0b", 2),
        ("0B", 2),
        ("0o", 8),
        ("0O", 8),
    ] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return from_digits(digits, base);
        }
    }
    let of_unit = |(unit, power): &(&str, i64)| Some((text.strip_suffix(unit)?, *power));
    let unit = UNITS.iter().find_map(of_unit);
    let (text, mut power) = unit.unwrap_or((text, 0));
    let (text, exponent) = match text.trim_end().split_once(['e', 'E']) {
        Some((text, exponent)) => (text, exponent.parse().ok()?),
        None => (text.trim_end(), 0_i64),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if whole.is_empty() || fraction.is_empty() {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    power = power.checked_add(exponent)?;
    power = power.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let number = from_digits(&format!("{whole}{fraction}"), 10)?;
    if number.is_zero() {
        return Some(number);
    }
    let factor = U256::from(10).checked_pow(U256::from(power.unsigned_abs()))?;
    match power < 0 {
        false => number.checked_mul(factor),
        true => (number % factor).is_zero().then(|| number / factor),
    }
}

fn from_digits(digits: &str, base: u64) -> Option<U256> {
    let plain = !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_alphanumeric());
    plain.then(|| U256::from_str_radix(digits, base).ok())?
}

/// Nothing if the number is not in the range of the bits.
fn signed(negative: bool, number: U256, bits: usize) -> Option<I256> {
    let limit = U256::from(1) << (bits - 1);
    match negative {
        false => (number < limit).then_some(I256::from_raw(number)),
        true => (number <= limit).then_some(I256::from_raw(number.wrapping_neg())),
    }
}

fn number_word(number: usize) -> Vec<u8> {
    U256::from(number).to_be_bytes::<32>().to_vec()
}

fn padded_behind(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes
}

fn with_length(bytes: Vec<u8>) -> Vec<u8> {
    [number_word(bytes.len()), padded_behind(bytes)].concat()
}

/// Elements of one type, behind each other.
fn joined(elements: Vec<Vec<u8>>, of: &AbiType) -> Vec<u8> {
    let dynamic = of.is_dynamic();
    with_places(elements.into_iter().map(|data| (dynamic, data)).collect())
}

/// Heads, then what the heads of dynamic values point to.
fn with_places(parts: Vec<(bool, Vec<u8>)>) -> Vec<u8> {
    let head = |(dynamic, data): &(bool, Vec<u8>)| if *dynamic { 32 } else { data.len() };
    let mut place: usize = parts.iter().map(head).sum();
    let (mut heads, mut tails) = (Vec::new(), Vec::new());
    for (dynamic, data) in parts {
        if dynamic {
            heads.extend(number_word(place));
            place += data.len();
            tails.extend(data);
        } else {
            heads.extend(data);
        }
    }
    heads.extend(tails);
    heads
}

/// The beginning of a text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use alloy_dyn_abi::DynSolType;
    use lydite_core::{Choices, Reject};

    use super::*;
    use crate::abi_type::tests::parsed;
    use crate::derive::arguments;

    /// What another implementation makes of the same text.
    fn by_alloy(types: &[AbiType], arguments: &str) -> Option<Vec<u8>> {
        let of: DynSolType = format!("({})", type_names(types)).parse().unwrap();
        Some(of.coerce_str(arguments).ok()?.abi_encode_params())
    }

    fn draw(choices: &mut Choices, depth: usize) -> Result<AbiType, Reject> {
        let kinds = if depth == 0 { 8 } else { 11 };
        let inner = |choices: &mut Choices| draw(choices, depth - 1);
        Ok(match choices.below(kinds)? {
            0 => AbiType::Bool,
            1 => AbiType::Int(8 + 8 * choices.index(32)?),
            2 => AbiType::Uint(8 + 8 * choices.index(32)?),
            3 => AbiType::FixedBytes(1 + choices.index(32)?),
            4 => AbiType::Address,
            5 => AbiType::Function,
            6 => AbiType::Bytes,
            7 => AbiType::String,
            8 => AbiType::Array(Box::new(inner(choices)?)),
            9 => AbiType::FixedArray(Box::new(inner(choices)?), 1 + choices.index(3)?),
            _ => {
                let count = 1 + choices.index(3)?;
                let types: Result<_, Reject> = (0..count).map(|_| inner(choices)).collect();
                AbiType::Tuple(types?)
            }
        })
    }

    #[test]
    fn drawn_values_of_drawn_types_are_encoded_as_by_another_implementation() {
        let address = format!("0x{}", "0a".repeat(20));
        for number in 0..2000 {
            let mut choices = Choices::seeded(number, 0).with_limit(1_000_000);
            let types: Vec<AbiType> = (0..3).map(|_| draw(&mut choices, 3).unwrap()).collect();
            let text = arguments(&types, std::slice::from_ref(&address), &mut choices).unwrap();
            let text = text.expect("small enough");
            let encoded = encode_arguments(&types, &text);
            assert_eq!(encoded.ok(), by_alloy(&types, &text), "{text}");
        }
    }

    #[test]
    fn texts_are_taken_and_refused_as_by_another_implementation() {
        for (types, text) in [
            ("(uint8)", "(255)"),
            ("(uint8)", "(256)"),
            ("(uint8)", "(-1)"),
            ("(int8)", "(-128)"),
            ("(int8)", "(-129)"),
            ("(int8)", "(128)"),
            ("(int8)", "(+7)"),
            ("(uint256)", "(0x10)"),
            ("(uint256)", "(0b101)"),
            ("(uint256)", "(0o17)"),
            ("(uint256)", "(1 ether)"),
            ("(uint256)", "(1.5 gwei)"),
            ("(uint256)", "(1.50)"),
            ("(uint256)", "(4.2e1)"),
            ("(uint256)", "(1e77)"),
            ("(uint256)", "(1e78)"),
            ("(uint256)", "(12 apples)"),
            ("(uint256)", "()"),
            ("(uint256)", "(1) 2"),
            ("(uint256,bool)", "( 1 , true )"),
            ("(uint256,bool)", "(1)"),
            ("(bool)", "(tru)"),
            ("(bytes)", "(0x)"),
            ("(bytes)", "(0x1)"),
            ("(bytes)", "(ab)"),
            ("(bytes2)", "(0xabc1)"),
            ("(bytes2)", "(0xab)"),
            ("(address)", "(0x12)"),
            ("(string)", "(\"a, b)\")"),
            ("(string)", "('it is')"),
            ("(string,uint8)", "(plain text, 3)"),
            ("(string)", "(\"open)"),
            ("(uint8[])", "([])"),
            ("(uint8[])", "([1, 2])"),
            ("(uint8[2])", "([1])"),
            ("((uint8,string)[])", "([(1, \"x\"), (2, y)])"),
            ("(uint8[])", "([1, 2)"),
        ] {
            let types = parsed(types);
            let encoded = encode_arguments(&types, text);
            assert_eq!(
                encoded.clone().ok(),
                by_alloy(&types, text),
                "{text}: {encoded:?}"
            );
        }
        assert_eq!(encode_arguments(&[], "()"), Ok(Vec::new()));
        assert_eq!(encode_arguments(&[], ""), Ok(Vec::new()));
    }
}
