//! The types of the ABI: what arguments, results and events are made of.

use std::fmt;

/// How deep a type may be nested. Types come with the compiler's output, and
/// whoever walks one needs stack for each level.
const DEPTH: usize = 64;

/// One type of the ABI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AbiType {
    Bool,
    /// A signed integer of so many bits.
    Int(usize),
    /// An unsigned integer of so many bits.
    Uint(usize),
    /// So many bytes, at most 32.
    FixedBytes(usize),
    Address,
    /// An address and a selector.
    Function,
    Bytes,
    String,
    Array(Box<AbiType>),
    FixedArray(Box<AbiType>, usize),
    Tuple(Vec<AbiType>),
}

impl AbiType {
    /// The type of this name, such as `uint8[2][]`; nothing if it is not of the
    /// ABI. `tuple` stands for the tuple of the components.
    pub(crate) fn parse(name: &str, components: &[AbiType]) -> Option<AbiType> {
        let base_end = name.find('[').unwrap_or(name.len());
        let (base, suffixes) = name.split_at(base_end);
        let mut of = match base {
            "tuple" => AbiType::Tuple(components.to_vec()),
            _ => AbiType::parse_word(base)?,
        };
        let mut rest = suffixes;
        while let Some(inner) = rest.strip_prefix('[') {
            let (count, after) = inner.split_once(']')?;
            of = match count {
                "" => AbiType::Array(Box::new(of)),
                _ => AbiType::FixedArray(Box::new(of), plain_number(count)?),
            };
            rest = after;
            if of.depth() > DEPTH {
                return None;
            }
        }
        (rest.is_empty() && of.depth() <= DEPTH).then_some(of)
    }

    /// A type that is neither an array nor a tuple.
    fn parse_word(name: &str) -> Option<AbiType> {
        let bits = |digits: &str| match digits {
            "" => Some(256),
            _ => {
                let bits = plain_number(digits)?;
                (bits % 8 == 0 && (8..=256).contains(&bits)).then_some(bits)
            }
        };
        Some(match name {
            "bool" => AbiType::Bool,
            "address" => AbiType::Address,
            "function" => AbiType::Function,
            "bytes" => AbiType::Bytes,
            "string" => AbiType::String,
            _ => {
                if let Some(digits) = name.strip_prefix("uint") {
                    AbiType::Uint(bits(digits)?)
                } else if let Some(digits) = name.strip_prefix("int") {
                    AbiType::Int(bits(digits)?)
                } else {
                    let count = plain_number(name.strip_prefix("bytes")?)?;
                    (1..=32)
                        .contains(&count)
                        .then_some(AbiType::FixedBytes(count))?
                }
            }
        })
    }

    fn depth(&self) -> usize {
        match self {
            AbiType::Array(of) | AbiType::FixedArray(of, _) => 1 + of.depth(),
            AbiType::Tuple(types) => 1 + types.iter().map(AbiType::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// True if a value has a place of its own, to which its head points.
    pub(crate) fn is_dynamic(&self) -> bool {
        match self {
            AbiType::Bytes | AbiType::String | AbiType::Array(_) => true,
            AbiType::FixedArray(of, _) => of.is_dynamic(),
            AbiType::Tuple(types) => types.iter().any(AbiType::is_dynamic),
            _ => false,
        }
    }

    /// True if a value is one word.
    pub(crate) fn is_word(&self) -> bool {
        !self.is_dynamic() && !matches!(self, AbiType::FixedArray(..) | AbiType::Tuple(_))
    }

    /// How many bytes a value takes in the head of what holds it.
    pub(crate) fn head_bytes(&self) -> Option<usize> {
        if self.is_dynamic() {
            return Some(32);
        }
        match self {
            AbiType::FixedArray(of, count) => of.head_bytes()?.checked_mul(*count),
            AbiType::Tuple(types) => types
                .iter()
                .try_fold(0_usize, |sum, of| sum.checked_add(of.head_bytes()?)),
            _ => Some(32),
        }
    }
}

/// The name that selectors are made of.
impl fmt::Display for AbiType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AbiType::Bool => f.write_str("bool"),
            AbiType::Int(bits) => write!(f, "int{bits}"),
            AbiType::Uint(bits) => write!(f, "uint{bits}"),
            AbiType::FixedBytes(count) => write!(f, "bytes{count}"),
            AbiType::Address => f.write_str("address"),
            AbiType::Function => f.write_str("function"),
            AbiType::Bytes => f.write_str("bytes"),
            AbiType::String => f.write_str("string"),
            AbiType::Array(of) => write!(f, "{of}[]"),
            AbiType::FixedArray(of, count) => write!(f, "{of}[{count}]"),
            AbiType::Tuple(types) => write!(f, "({})", type_names(types)),
        }
    }
}

/// Digits and nothing else.
fn plain_number(digits: &str) -> Option<usize> {
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    plain.then(|| digits.parse().ok())?
}

/// The names of types, separated by commas.
pub(crate) fn type_names(types: &[AbiType]) -> String {
    let names: Vec<String> = types.iter().map(AbiType::to_string).collect();
    names.join(",")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The types of a text like `(uint8,(bool,string)[])`.
    pub(crate) fn parsed(text: &str) -> Vec<AbiType> {
        fn list(rest: &mut &str) -> Vec<AbiType> {
            let mut types = Vec::new();
            *rest = &rest[1..];
            while !rest.starts_with(')') {
                let components = match rest.starts_with('(') {
                    true => list(rest),
                    false => Vec::new(),
                };
                let end = rest.find([',', ')']).unwrap();
                let name = match components.is_empty() {
                    true => rest[..end].to_string(),
                    false => format!("tuple{}", &rest[..end]),
                };
                types.push(AbiType::parse(&name, &components).unwrap());
                *rest = rest[end..].trim_start_matches(',');
            }
            *rest = &rest[1..];
            types
        }
        list(&mut &*text)
    }

    #[test]
    fn types_are_printed_as_they_are_read() {
        let text = "(uint8,int256[2][],(bool,(string)[3],bytes32),address,function,bytes)";
        assert_eq!(format!("({})", type_names(&parsed(text))), text);
        assert_eq!(AbiType::parse("uint", &[]), Some(AbiType::Uint(256)));
    }

    #[test]
    fn what_is_no_type_of_the_abi_is_refused() {
        for name in [
            "", "uint7", "uint264", "int0", "bytes0", "bytes33", "L.S", "L.S storage", "uint8[",
            "uint8[]x", "uint8[-1]", "uint8[2", "boolean", "[]", "uint+8",
        ] {
            assert_eq!(AbiType::parse(name, &[]), None, "{name}");
        }
        let deep = format!("uint8{}", "[]".repeat(100_000));
        assert_eq!(AbiType::parse(&deep, &[]), None);
    }
}
