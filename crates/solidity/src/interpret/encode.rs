//! `abi.encode` and its kin, of elementary types.

use dashu_int::IBig;

use super::data::Value;
use super::expressions::UNTYPED;
use super::forms::Form;
use super::keccak::{big_endian, keccak256, number_of};
use super::machine::{Machine, Reason, Stop};
use super::number::{holds, wrapped};
use crate::ast::{Encoding, ExpressionId, TypeId};
use crate::types::{Elementary, Family};

/// Bytes of a word of the machine.
const WORD: usize = 32;

/// Bytes of a function's selector.
const SELECTOR: usize = 4;

/// An argument: a word of a type, or bytes.
enum Part {
    Word(Elementary, IBig),
    Bytes(Vec<u8>),
}

impl Machine<'_> {
    pub(super) fn encoded(
        &mut self,
        encoding: Encoding,
        arguments: &[ExpressionId],
    ) -> Result<Value, Stop> {
        let mut parts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let form = self.form(*argument).clone();
            let value = self.evaluate(*argument)?;
            let is_stored = matches!(value, Value::Storage(_));
            parts.push(match (self.whole(&value)?, form.word(self.types)) {
                (Value::Word(word), Some(kind)) => Part::Word(kind, word),
                // Some versions up to 0.8.0 and later encode them as a word more.
                (Value::Bytes(bytes), _) if is_stored && bytes.is_empty() => {
                    return Err(Stop::Unknown("an encoding of empty bytes of storage"));
                }
                (Value::Bytes(bytes), _) => Part::Bytes(bytes),
                _ => return Err(Stop::Unknown("an encoding of another kind")),
            });
        }
        let bytes = match encoding {
            Encoding::Plain => plain(&parts),
            Encoding::Packed => packed(&parts),
            Encoding::WithSelector | Encoding::WithSignature => {
                let (first, rest) = parts.split_first().ok_or(UNTYPED)?;
                let mut bytes = match first {
                    Part::Word(_, selector) => big_endian(selector, SELECTOR),
                    Part::Bytes(signature) => keccak256(signature)[..SELECTOR].to_vec(),
                };
                bytes.extend(plain(rest));
                bytes
            }
        };
        Ok(self.in_memory(Value::Bytes(bytes)))
    }

    /// Words from bytes; what is no value of its type is refused.
    pub(super) fn decoded(&mut self, data: ExpressionId, kinds: &[TypeId]) -> Result<Value, Stop> {
        let data = self.evaluate(data)?;
        let Value::Bytes(bytes) = self.whole(&data)? else {
            return Err(UNTYPED);
        };
        let mut words = bytes.chunks_exact(WORD);
        let mut values = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let form = Form::of(self.types, *kind);
            let kind = form.word(self.types).ok_or(UNTYPED)?;
            let word = words.next().ok_or(Stop::Revert(Reason::Silent))?;
            let Some(value) = read(kind, word) else {
                // Older decoders let it pass.
                return Err(match self.arithmetic.checked {
                    true => Stop::Revert(Reason::Silent),
                    false => Stop::Unknown("a word that is no value of its type"),
                });
            };
            values.push(Value::Word(value));
        }
        match values.len() {
            1 => Ok(values.remove(0)),
            _ => Ok(Value::Parts(values)),
        }
    }
}

/// The value of a word, if it is one of the type.
fn read(kind: Elementary, word: &[u8]) -> Option<IBig> {
    let number = number_of(word);
    if kind.family() == Family::FixedBytes {
        let size = usize::from(kind.size());
        let is_padded = word[size..].iter().all(|byte| *byte == 0);
        return is_padded.then(|| number_of(&word[..size]));
    }
    let value = match kind.family() {
        Family::Int => wrapped(Elementary::int(256), &number),
        _ => number,
    };
    holds(kind, &value).then_some(value)
}

fn plain(parts: &[Part]) -> Vec<u8> {
    let mut head = Vec::new();
    let mut tail = Vec::new();
    let head_bytes = WORD * parts.len();
    for part in parts {
        match part {
            Part::Word(kind, word) => head.extend(padded(*kind, word)),
            Part::Bytes(bytes) => {
                head.extend(big_endian(&IBig::from(head_bytes + tail.len()), WORD));
                tail.extend(big_endian(&IBig::from(bytes.len()), WORD));
                tail.extend(bytes);
                tail.resize(tail.len().next_multiple_of(WORD), 0);
            }
        }
    }
    head.extend(tail);
    head
}

fn padded(kind: Elementary, word: &IBig) -> Vec<u8> {
    match kind.family() {
        Family::FixedBytes => {
            let mut bytes = big_endian(word, usize::from(kind.size()));
            bytes.resize(WORD, 0);
            bytes
        }
        _ => big_endian(word, WORD),
    }
}

fn packed(parts: &[Part]) -> Vec<u8> {
    let mut joined = Vec::new();
    for part in parts {
        match part {
            Part::Word(kind, word) => joined.extend(big_endian(word, packed_size(*kind))),
            Part::Bytes(bytes) => joined.extend(bytes),
        }
    }
    joined
}

fn packed_size(kind: Elementary) -> usize {
    match kind.family() {
        Family::Bool => 1,
        Family::Address => 20,
        _ => usize::from(kind.size()),
    }
}
