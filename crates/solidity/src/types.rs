//! Elementary types and the other qualifiers, as small numbers: what a
//! placeholder stands for, and sets of them as bits.

/// A set of values of one placeholder: bit *n* is value *n*.
pub type Domain = u128;

/// One of the 101 elementary types of Solidity, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Elementary(u8);

/// The first numbers of the families.
const UINT: u8 = 5;
const INT: u8 = UINT + 32;
const FIXED_BYTES: u8 = INT + 32;

impl Elementary {
    /// `bool`
    pub const BOOL: Elementary = Elementary(0);
    /// `address payable`
    pub const PAYABLE: Elementary = Elementary(1);
    /// `address`
    pub const ADDRESS: Elementary = Elementary(2);
    /// `string`
    pub const STRING: Elementary = Elementary(3);
    /// `bytes`
    pub const BYTES: Elementary = Elementary(4);
    /// `uint256`
    pub const UINT256: Elementary = Elementary(UINT + 31);
    /// How many there are.
    pub const COUNT: u8 = FIXED_BYTES + 32;

    /// `uintN`; `bits` is a multiple of 8 up to 256.
    pub const fn uint(bits: u16) -> Elementary {
        Elementary(UINT + (bits / 8) as u8 - 1)
    }

    /// `intN`; `bits` is a multiple of 8 up to 256.
    pub const fn int(bits: u16) -> Elementary {
        Elementary(INT + (bits / 8) as u8 - 1)
    }

    /// `bytesN`; `size` is 1 to 32.
    pub const fn fixed_bytes(size: u8) -> Elementary {
        Elementary(FIXED_BYTES + size - 1)
    }

    /// The type of that number, below [`Elementary::COUNT`].
    pub fn from_number(number: u8) -> Elementary {
        debug_assert!(number < Elementary::COUNT);
        Elementary(number)
    }

    /// Its number, the value of a placeholder.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The set with this type alone.
    pub const fn bit(self) -> Domain {
        1 << self.0
    }

    /// All types.
    pub fn all() -> impl Iterator<Item = Elementary> {
        (0..Elementary::COUNT).map(Elementary)
    }

    /// The family it belongs to.
    pub const fn family(self) -> Family {
        match self.0 {
            0 => Family::Bool,
            1 | 2 => Family::Address,
            3 => Family::String,
            4 => Family::Bytes,
            UINT..INT => Family::Uint,
            INT..FIXED_BYTES => Family::Int,
            _ => Family::FixedBytes,
        }
    }

    /// The size in bytes of a number or of fixed bytes, else 0.
    pub const fn size(self) -> u8 {
        match self.family() {
            Family::Uint => self.0 - UINT + 1,
            Family::Int => self.0 - INT + 1,
            Family::FixedBytes => self.0 - FIXED_BYTES + 1,
            _ => 0,
        }
    }

    /// Its name in a program.
    pub fn name(self) -> String {
        let size = self.size();
        match self.family() {
            Family::Bool => "bool".to_string(),
            Family::Address if self == Elementary::PAYABLE => "address payable".to_string(),
            Family::Address => "address".to_string(),
            Family::String => "string".to_string(),
            Family::Bytes => "bytes".to_string(),
            Family::Uint => format!("uint{}", u16::from(size) * 8),
            Family::Int => format!("int{}", u16::from(size) * 8),
            Family::FixedBytes => format!("bytes{size}"),
        }
    }

    /// True if it lives in a data location.
    pub const fn is_reference(self) -> bool {
        matches!(self.family(), Family::String | Family::Bytes)
    }
}

/// Elementary types that convert among each other, if at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `bool`
    Bool,
    /// `address payable`, `address`
    Address,
    /// `string`
    String,
    /// `bytes`
    Bytes,
    /// `uint8` to `uint256`
    Uint,
    /// `int8` to `int256`
    Int,
    /// `bytes1` to `bytes32`
    FixedBytes,
}

const THIRTY_TWO: Domain = 0xffff_ffff;

/// All unsigned integers.
pub const UINTS: Domain = THIRTY_TWO << UINT;
/// All signed integers.
pub const INTS: Domain = THIRTY_TWO << INT;
/// All integers.
pub const NUMBERS: Domain = UINTS | INTS;
/// `bytes1` to `bytes32`.
pub const FIXED: Domain = THIRTY_TWO << FIXED_BYTES;
/// `bool` alone.
pub const BOOLS: Domain = Elementary::BOOL.bit();
/// Both types of addresses.
pub const ADDRESSES: Domain = Elementary::PAYABLE.bit() | Elementary::ADDRESS.bit();
/// Types without a data location.
pub const VALUES: Domain = BOOLS | ADDRESSES | NUMBERS | FIXED;
/// `string` and `bytes`.
pub const SEQUENCES: Domain = Elementary::STRING.bit() | Elementary::BYTES.bit();

/// How many values the placeholder of a data type has: the elementary types, then
/// numbers for the composite types of a program ([`crate::ast::Composite`]).
pub const TYPES: u8 = 128;

/// The numbers from one to before another.
const fn numbers(from: u8, to: u8) -> Domain {
    (Domain::MAX >> (128 - (to - from) as u32)) << from
}

/// All elementary types.
pub const ELEMENTARY: Domain = numbers(0, Elementary::COUNT);
/// Numbers of contracts.
pub const CONTRACTS: Domain = numbers(Elementary::COUNT, 106);
/// Numbers of enums.
pub const ENUMS: Domain = numbers(106, 110);
/// Numbers of user-defined value types.
pub const USER_VALUES: Domain = numbers(110, 112);
/// Numbers of fixed-point types.
pub const FIXED_POINTS: Domain = numbers(112, 114);
/// Numbers of arrays.
pub const ARRAYS: Domain = numbers(114, 119);
/// Numbers of structs.
pub const STRUCTS: Domain = numbers(119, 124);
/// Numbers of mappings, which are in storage alone.
pub const MAPPINGS: Domain = numbers(124, TYPES);
/// Types of a program without a data location.
pub const COMPOSITE_VALUES: Domain = CONTRACTS | ENUMS | USER_VALUES | FIXED_POINTS;
/// Types of a program with one.
pub const COMPOSITE_REFERENCES: Domain = ARRAYS | STRUCTS | MAPPINGS;
/// Everything that has a data location.
pub const REFERENCES: Domain = SEQUENCES | COMPOSITE_REFERENCES;

/// Visibilities of what is called from outside of its contract.
pub const OUTSIDE: Domain = Visibility::Public.bit() | Visibility::External.bit();

/// The integers that hold a literal: `value`, negated or not.
pub fn holding(value: u64, negative: bool) -> Domain {
    let mut domain = 0;
    for kind in Elementary::all() {
        let bits = u32::from(kind.size()) * 8;
        let fits = match kind.family() {
            Family::Uint => !negative && (bits >= 64 || value >> bits == 0),
            Family::Int => {
                let magnitude = u128::from(value) - u128::from(negative && value > 0);
                bits > 64 || magnitude >> (bits - 1) == 0
            }
            _ => false,
        };
        if fits {
            domain |= kind.bit();
        }
    }
    domain
}

/// The fixed bytes that hold a text of `length` bytes.
pub fn holding_text(length: usize) -> Domain {
    let fitting = Elementary::all()
        .filter(|kind| kind.family() == Family::FixedBytes && usize::from(kind.size()) >= length);
    fitting.fold(0, |domain, kind| domain | kind.bit())
}

/// An enum of the words that may stand in a place, each with how it is written.
macro_rules! qualifier {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $value:ident => $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$of])* $value,)*
        }

        impl $name {
            /// All of them, by number.
            pub const ALL: &[$name] = &[$($name::$value),*];

            /// The value of a placeholder.
            pub const fn number(self) -> u8 {
                self as u8
            }

            /// The set with this value alone.
            pub const fn bit(self) -> Domain {
                1 << self as u8
            }

            /// The word in a program.
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$value => $word,)*
                }
            }
        }
    };
}

qualifier! {
    /// Where data of a reference type lives.
    Location {
        /// `memory`
        Memory => "memory",
        /// `storage`
        Storage => "storage",
        /// `calldata`
        Calldata => "calldata",
    }
}

qualifier! {
    /// Who may use a function or state variable.
    Visibility {
        /// `public`
        Public => "public",
        /// `private`
        Private => "private",
        /// `internal`
        Internal => "internal",
        /// `external`
        External => "external",
    }
}

qualifier! {
    /// What a function may do to the state.
    Mutability {
        /// `pure`
        Pure => "pure",
        /// `view`
        View => "view",
        /// `payable`
        Payable => "payable",
        /// Nothing written.
        NonPayable => "",
    }
}

qualifier! {
    /// How long a state variable holds its value.
    Persistence {
        /// Nothing written: until it is assigned again.
        Stored => "",
        /// `constant`
        Constant => "constant",
        /// `immutable`
        Immutable => "immutable",
        /// `transient`
        Transient => "transient",
    }
}

/// The values of a set, ascending.
pub fn values(mut domain: Domain) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if domain == 0 {
            return None;
        }
        let value = domain.trailing_zeros() as u8;
        domain &= domain - 1;
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes_are_solidity_s() {
        for (kind, name, size) in [
            (Elementary::uint(8), "uint8", 1),
            (Elementary::UINT256, "uint256", 32),
            (Elementary::int(128), "int128", 16),
            (Elementary::fixed_bytes(20), "bytes20", 20),
            (Elementary::PAYABLE, "address payable", 0),
        ] {
            assert_eq!((kind.name().as_str(), kind.size()), (name, size));
        }
        let mut names: Vec<String> = Elementary::all().map(Elementary::name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 101);
    }

    #[test]
    fn a_literal_is_held_by_the_integers_that_are_wide_enough() {
        let has = |domain: Domain, kind: Elementary| domain & kind.bit() != 0;
        for (value, negative, kind, held) in [
            (255, false, Elementary::uint(8), true),
            (256, false, Elementary::uint(8), false),
            (127, false, Elementary::int(8), true),
            (128, false, Elementary::int(8), false),
            (128, true, Elementary::int(8), true),
            (129, true, Elementary::int(8), false),
            (0, true, Elementary::int(8), true),
            (1, true, Elementary::uint(256), false),
            (u64::MAX, false, Elementary::uint(64), true),
            (u64::MAX, false, Elementary::int(64), false),
            (u64::MAX, true, Elementary::int(72), true),
        ] {
            assert_eq!(
                has(holding(value, negative), kind),
                held,
                "{value} {kind:?}"
            );
        }
        assert!(has(holding_text(3), Elementary::fixed_bytes(3)));
        assert!(!has(holding_text(3), Elementary::fixed_bytes(2)));
    }
}
