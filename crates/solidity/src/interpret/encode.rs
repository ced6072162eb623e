//! `abi.encode` and its kin; `abi.decode` of words.

use dashu_int::IBig;

use super::data::Value;
use super::effects::After;
use super::expressions::UNTYPED;
use super::keccak::{big_endian, keccak256, number_of};
use super::machine::{Machine, Reason, Stop};
use super::number::{holds, wrapped};
use crate::ast::{Encoding, ExpressionId, FunctionId, FunctionName, Type, TypeId};
use crate::types::{Elementary, Family};
use crate::typing::Form;
use crate::typing::Types;

/// Bytes of a word of the machine.
pub(super) const WORD: usize = 32;

/// Bytes of a function's selector.
pub(super) const SELECTOR: usize = 4;

/// Something to be encoded. It is nested as deep as its type.
enum Part {
    Word(Elementary, IBig),
    Bytes(Vec<u8>),
    /// As many parts as the type says: a struct, or an array of fixed length.
    Fixed(Vec<Part>),
    /// An array that says its length.
    Counted(Vec<Part>),
}

impl Machine<'_> {
    pub(super) fn encoded(
        &mut self,
        encoding: Encoding,
        arguments: &[ExpressionId],
    ) -> Result<Value, Stop> {
        let mut parts = Vec::with_capacity(arguments.len());
        let values = self.list(arguments, After::Copied)?;
        for (argument, value) in arguments.iter().zip(values) {
            let form = self.form(*argument).clone();
            parts.push(self.part(&value, &form)?);
        }
        let bytes = match encoding {
            Encoding::Plain => plain(&parts),
            Encoding::Packed => packed(&parts).ok_or(Stop::Unknown("a tight encoding"))?,
            Encoding::WithSelector | Encoding::WithSignature => {
                let (first, rest) = parts.split_first().ok_or(UNTYPED)?;
                let mut bytes = match first {
                    Part::Word(_, selector) => big_endian(selector, SELECTOR),
                    Part::Bytes(signature) => keccak256(signature)[..SELECTOR].to_vec(),
                    Part::Fixed(_) | Part::Counted(_) => return Err(UNTYPED),
                };
                bytes.extend(plain(rest));
                bytes
            }
        };
        Ok(self.in_memory(Value::Bytes(bytes)))
    }

    /// `abi.encodeCall`: arguments as the function takes them.
    pub(super) fn encoded_call(
        &mut self,
        function: FunctionId,
        arguments: &[ExpressionId],
    ) -> Result<Value, Stop> {
        let ast = self.types.ast;
        let mut parts = Vec::with_capacity(arguments.len());
        let values = self.list(arguments, After::Copied)?;
        let parameters = ast[function].parameters.iter();
        for ((parameter, argument), value) in parameters.zip(arguments).zip(values) {
            let to = Form::of(self.types, ast[*parameter].kind);
            let from = self.form(*argument).clone();
            let value = self.converted(value, &from, &to)?;
            parts.push(self.part(&value, &to)?);
        }
        let mut bytes = self.selector(function)?.to_vec();
        bytes.extend(plain(&parts));
        Ok(self.in_memory(Value::Bytes(bytes)))
    }

    /// What is encoded of a value, wherever it is.
    fn part(&self, value: &Value, form: &Form) -> Result<Part, Stop> {
        let whole = self.whole(value)?;
        // Some versions up to 0.8.0 and later encode them as a word more.
        if matches!(value, Value::Storage(_)) && has_empty_bytes(&whole) {
            return Err(Stop::Unknown("an encoding of empty bytes of storage"));
        }
        let part = part(self.types, form, whole);
        part.ok_or(Stop::Unknown("an encoding of another kind"))
    }

    /// The first bytes of the hash of a function's signature.
    pub(super) fn selector(&self, function: FunctionId) -> Result<[u8; SELECTOR], Stop> {
        const NAMELESS: Stop = Stop::Unknown("a function without a selector");
        let ast = self.types.ast;
        let FunctionName::Named(number) = ast[function].name else {
            return Err(NAMELESS);
        };
        let parameters = ast[function].parameters.iter();
        let names = parameters.map(|id| abi_name(self.types, ast[*id].kind));
        let names = names.collect::<Option<Vec<String>>>().ok_or(NAMELESS)?;
        let number = ast.shown_name(number);
        let signature = format!("f{number}({})", names.join(","));
        let [a, b, c, d, ..] = keccak256(signature.as_bytes());
        Ok([a, b, c, d])
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
                return Err(match self.run.arithmetic.checked {
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

/// Whole values as other contracts get them.
pub fn abi_encoded(types: Types<'_>, kinds: &[TypeId], values: &[Value]) -> Option<Vec<u8>> {
    let parts = kinds.iter().zip(values);
    let parts = parts.map(|(kind, value)| part(types, &Form::of(types, *kind), value.clone()));
    Some(plain(&parts.collect::<Option<Vec<Part>>>()?))
}

/// The encoding of one text.
pub(super) fn encoded_text(text: &[u8]) -> Vec<u8> {
    plain(&[Part::Bytes(text.to_vec())])
}

/// Whole values from an encoding as others make it; nothing if it is none.
pub fn abi_decoded(types: Types<'_>, kinds: &[TypeId], data: &[u8]) -> Option<Vec<Value>> {
    let mut at = 0;
    let mut values = Vec::with_capacity(kinds.len());
    for kind in kinds {
        values.push(decoded_at(types, *kind, data, 0, &mut at)?);
    }
    Some(values)
}

/// The value whose head is at `at`; offsets count from `base`. It is nested as
/// deep as the type.
fn decoded_at(
    types: Types<'_>,
    kind: TypeId,
    data: &[u8],
    base: usize,
    at: &mut usize,
) -> Option<Value> {
    if !types.is_dynamic(kind) {
        return decoded_body(types, kind, data, at);
    }
    let offset = usize::try_from(&number_of(data.get(*at..*at + WORD)?)).ok()?;
    *at += WORD;
    decoded_body(types, kind, data, &mut base.checked_add(offset)?)
}

fn decoded_body(types: Types<'_>, kind: TypeId, data: &[u8], at: &mut usize) -> Option<Value> {
    let word = |at: &mut usize| {
        let word = data.get(*at..at.checked_add(WORD)?)?;
        *at += WORD;
        Some(word)
    };
    if let Some(elementary) = types.word(kind) {
        let value = read(elementary, word(at)?)?;
        let is_member = match types.ast[kind] {
            Type::Enum(id) => value < IBig::from(types.ast[id].members),
            _ => true,
        };
        return is_member.then_some(Value::Word(value));
    }
    let several = |kinds: &mut dyn Iterator<Item = TypeId>, at: &mut usize| {
        let base = *at;
        let mut parts = Vec::new();
        for kind in kinds {
            parts.push(decoded_at(types, kind, data, base, at)?);
        }
        Some(Value::Parts(parts))
    };
    match types.ast[kind] {
        Type::Elementary(_) => {
            let length = usize::try_from(&number_of(word(at)?)).ok()?;
            let bytes = data.get(*at..at.checked_add(length)?)?;
            Some(Value::Bytes(bytes.to_vec()))
        }
        Type::Array { element, length } => {
            let length = match length {
                Some(length) => length as usize,
                None => usize::try_from(&number_of(word(at)?)).ok()?,
            };
            // Every element takes a word, so that there cannot be more.
            let length = (length <= data.len() / WORD).then_some(length)?;
            several(&mut std::iter::repeat_n(element, length), at)
        }
        Type::Struct(id) => {
            let fields = types.ast[id].fields.iter();
            several(&mut fields.map(|field| types.ast[*field].kind), at)
        }
        // These are words, or never encoded.
        Type::Mapping { .. }
        | Type::Contract(_)
        | Type::Enum(_)
        | Type::Value(_)
        | Type::Function(_) => None,
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

/// The deepest nesting of a type that has a name: a struct may hold itself.
const NAMED: usize = 16;

/// The name of a type in a signature.
pub(crate) fn abi_name(types: Types<'_>, kind: TypeId) -> Option<String> {
    name_within(types, kind, NAMED)
}

fn name_within(types: Types<'_>, kind: TypeId, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    match types.ast[kind] {
        Type::Array { element, length } => {
            let length = length.map(|length| length.to_string()).unwrap_or_default();
            Some(format!("{}[{length}]", name_within(types, element, depth)?))
        }
        Type::Struct(id) => {
            let fields = types.ast[id].fields.iter();
            let names = fields.map(|field| name_within(types, types.ast[*field].kind, depth));
            Some(format!(
                "({})",
                names.collect::<Option<Vec<String>>>()?.join(",")
            ))
        }
        Type::Elementary(placeholder) => Some(match types.elementary(placeholder) {
            Elementary::PAYABLE => Elementary::ADDRESS.name(),
            other => other.name(),
        }),
        Type::Contract(_) | Type::Enum(_) | Type::Value(_) => Some(types.word(kind)?.name()),
        Type::Mapping { .. } | Type::Function(_) => None,
    }
}

fn has_empty_bytes(value: &Value) -> bool {
    match value {
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::Parts(parts) => parts.iter().any(has_empty_bytes),
        _ => false,
    }
}

/// A whole value of a type.
fn part(types: Types<'_>, form: &Form, whole: Value) -> Option<Part> {
    match (whole, form.word(types), form) {
        (Value::Word(word), Some(kind), _) => Some(Part::Word(kind, word)),
        (Value::Bytes(bytes), ..) => Some(Part::Bytes(bytes)),
        (Value::Parts(parts), _, Form::Composite(Type::Array { element, length })) => {
            let form = Form::of(types, *element);
            let parts = parts.into_iter().map(|value| part(types, &form, value));
            let parts = parts.collect::<Option<Vec<Part>>>()?;
            Some(match length {
                Some(_) => Part::Fixed(parts),
                None => Part::Counted(parts),
            })
        }
        (Value::Parts(parts), _, Form::Composite(Type::Struct(id))) => {
            let fields = types.ast[*id].fields.iter().zip(parts);
            let fields =
                fields.map(|(id, value)| part(types, &Form::of(types, types.ast[*id].kind), value));
            Some(Part::Fixed(fields.collect::<Option<Vec<Part>>>()?))
        }
        _ => None,
    }
}

impl Part {
    /// True if it stands behind the heads, wherever that is.
    fn is_dynamic(&self) -> bool {
        match self {
            Part::Word(..) => false,
            Part::Bytes(_) | Part::Counted(_) => true,
            Part::Fixed(parts) => parts.iter().any(Part::is_dynamic),
        }
    }

    fn head_bytes(&self) -> usize {
        match self {
            Part::Fixed(parts) if !self.is_dynamic() => parts.iter().map(Part::head_bytes).sum(),
            _ => WORD,
        }
    }

    fn body(&self) -> Vec<u8> {
        match self {
            Part::Word(kind, word) => padded(*kind, word),
            Part::Bytes(bytes) => {
                let mut body = big_endian(&IBig::from(bytes.len()), WORD);
                body.extend(bytes);
                body.resize(body.len().next_multiple_of(WORD), 0);
                body
            }
            Part::Fixed(parts) => plain(parts),
            Part::Counted(parts) => {
                let mut body = big_endian(&IBig::from(parts.len()), WORD);
                body.extend(plain(parts));
                body
            }
        }
    }
}

/// Heads, then what is too large for them.
fn plain(parts: &[Part]) -> Vec<u8> {
    let mut head = Vec::new();
    let mut tail = Vec::new();
    let head_bytes: usize = parts.iter().map(Part::head_bytes).sum();
    for part in parts {
        match part.is_dynamic() {
            true => {
                head.extend(big_endian(&IBig::from(head_bytes + tail.len()), WORD));
                tail.extend(part.body());
            }
            false => head.extend(part.body()),
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

/// Without lengths; elements of arrays are padded. Nothing else is nested.
fn packed(parts: &[Part]) -> Option<Vec<u8>> {
    let mut joined = Vec::new();
    for part in parts {
        match part {
            Part::Word(kind, word) => joined.extend(big_endian(word, packed_size(*kind))),
            Part::Bytes(bytes) => joined.extend(bytes),
            Part::Fixed(parts) | Part::Counted(parts) => {
                for part in parts {
                    match part {
                        Part::Word(kind, word) => joined.extend(padded(*kind, word)),
                        _ => return None,
                    }
                }
            }
        }
    }
    Some(joined)
}

fn packed_size(kind: Elementary) -> usize {
    match kind.family() {
        Family::Bool => 1,
        Family::Address => 20,
        _ => usize::from(kind.size()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: u32) -> Part {
        Part::Word(Elementary::UINT256, IBig::from(value))
    }

    /// The words of what is encoded, as numbers; texts are kept short.
    fn words(parts: &[Part]) -> Vec<IBig> {
        plain(parts).chunks(WORD).map(number_of).collect()
    }

    #[test]
    fn what_is_dynamic_stands_behind_the_heads() {
        let tag = Part::Word(Elementary::fixed_bytes(1), IBig::from(0xab));
        let texts = Part::Bytes(vec![0x11; 33]);
        let rows = Part::Counted(vec![
            Part::Fixed(vec![number(5), number(6)]),
            Part::Fixed(vec![number(7), number(8)]),
        ]);
        let high = |byte: u8| IBig::from(byte) << 248;
        let ones = number_of(&[0x11; 32]);
        for (parts, expected) in [
            (vec![number(1), tag], vec![1.into(), high(0xab)]),
            (
                vec![texts, number(2)],
                vec![64.into(), 2.into(), 33.into(), ones, high(0x11)],
            ),
            // Elements of a known size follow each other.
            (vec![rows], [32, 2, 5, 6, 7, 8].map(IBig::from).to_vec()),
            // Offsets within a struct are counted from where it begins.
            (
                vec![number(9), Part::Fixed(vec![Part::Counted(vec![number(4)])])],
                [9, 64, 32, 1, 4].map(IBig::from).to_vec(),
            ),
            (
                vec![Part::Counted(vec![]), number(3)],
                [64, 3, 0].map(IBig::from).to_vec(),
            ),
        ] {
            assert_eq!(words(&parts), expected);
        }
    }

    #[test]
    fn tight_encoding_pads_elements_of_arrays_alone() {
        let byte = |value: u8| Part::Word(Elementary::uint(8), IBig::from(value));
        let parts = [byte(1), Part::Bytes(vec![2, 3]), Part::Fixed(vec![byte(4)])];
        let mut expected = vec![1, 2, 3];
        expected.extend([0; 31]);
        expected.push(4);
        assert_eq!(packed(&parts), Some(expected));
        let nested = Part::Counted(vec![Part::Fixed(vec![byte(1)])]);
        assert_eq!(packed(&[nested]), None);
    }
}
