//! Literals and their text.

use dashu_int::ops::UnsignedAbs;
use dashu_int::{IBig, UBig};

use super::print::Printer;
use super::statements::{address, letters};
use crate::types::{Elementary, Family};

const ADDRESS_BYTES: usize = 20;

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number {
        /// Without its sign.
        value: u64,
        /// Below zero.
        negative: bool,
    },
    /// A number in hexadecimal digits, which can be fixed bytes too.
    Hex {
        /// Its value.
        value: u64,
        /// How many digits are written.
        digits: u8,
    },
    /// A string of so many letters.
    Text(u8),
    /// An address: one of a few with a right checksum.
    Address(u8),
    /// A value of any width, written with its type: `int16(-5)`.
    Word {
        /// The type, one of words.
        kind: Elementary,
        /// Without its sign, lowest digits first.
        digits: [u64; 4],
        /// Below zero.
        negative: bool,
    },
}

impl Literal {
    /// The literal of a value that lies in the range of its type.
    pub fn word(kind: Elementary, value: &IBig) -> Literal {
        let magnitude = value.unsigned_abs();
        let mut digits = [0; 4];
        for (at, digit) in digits.iter_mut().enumerate() {
            let low = (&magnitude >> (64 * at)) & UBig::from(u64::MAX);
            *digit = u64::try_from(low).expect("64 bits are left");
        }
        Literal::Word {
            kind,
            digits,
            negative: *value < IBig::ZERO,
        }
    }

    /// The type and the value of a [`Literal::Word`].
    pub fn as_word(self) -> Option<(Elementary, IBig)> {
        let Literal::Word {
            kind,
            digits,
            negative,
        } = self
        else {
            return None;
        };
        let value = IBig::from(number_of_digits(digits));
        Some((kind, if negative { -value } else { value }))
    }
}

/// The number of the digits of a [`Literal::Word`].
pub(crate) fn number_of_digits(digits: [u64; 4]) -> UBig {
    let highest_first = digits.iter().rev();
    highest_first.fold(UBig::ZERO, |number, digit| {
        (number << 64) + UBig::from(*digit)
    })
}

/// How a text is written, other than in quotes alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `hex"6162"`
    Hex,
    /// `unicode"…"`
    Unicode,
}

impl Notation {
    /// What a text of so many letters holds: a Unicode one has a letter of two
    /// bytes more.
    pub fn bytes(self, length: u8) -> Vec<u8> {
        let mut bytes = letters(length).as_bytes().to_vec();
        if self == Notation::Unicode {
            bytes.extend("\u{e9}".as_bytes());
        }
        bytes
    }
}

impl Printer<'_> {
    pub(super) fn literal(&mut self, literal: Literal) {
        match literal {
            Literal::Bool(true) => self.push("true"),
            Literal::Bool(false) => self.push("false"),
            Literal::Number { value, negative } => {
                self.push(if negative { "-" } else { "" });
                self.layout.push_number(value);
            }
            Literal::Hex { value, digits } => {
                let width = usize::from(digits);
                self.push(&format!("0x{value:0width$x}"));
            }
            Literal::Text(length) => {
                self.push("\"");
                self.push(letters(length));
                self.push("\"");
            }
            Literal::Address(number) => {
                self.push(address(number));
            }
            Literal::Word {
                kind,
                digits,
                negative,
            } => self.word(kind, &number_of_digits(digits), negative),
        }
    }

    /// In quotes if that is plain to see, else by its digits.
    pub(super) fn quoted(&mut self, bytes: &[u8]) {
        let is_plain =
            |byte: &u8| byte.is_ascii_graphic() && !b"\"\\".contains(byte) || *byte == b' ';
        let text = match std::str::from_utf8(bytes) {
            Ok(text) if bytes.iter().all(is_plain) => format!("\"{text}\""),
            _ => {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("hex\"{digits}\"")
            }
        };
        self.push(&text);
    }

    fn word(&mut self, kind: Elementary, number: &UBig, negative: bool) {
        let size = usize::from(kind.size());
        let text = match kind.family() {
            Family::Bool => (*number != UBig::ZERO).to_string(),
            // So many digits would have to spell an address with its checksum.
            Family::FixedBytes if size == ADDRESS_BYTES => format!("bytes20(uint160({number}))"),
            Family::Address => format!("address(uint160({number}))"),
            Family::FixedBytes => {
                let (digits, width) = (number.in_radix(16).to_string(), 2 * size);
                format!("{}(0x{digits:0>width$})", kind.name())
            }
            _ => {
                let sign = if negative { "-" } else { "" };
                format!("{}({sign}{number})", kind.name())
            }
        };
        self.push(&text);
    }
}
