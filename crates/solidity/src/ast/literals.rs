//! The text of literals.

use dashu_int::UBig;

use super::print::Printer;
use super::statements::{address, letters};
use super::{Literal, number_of_digits};
use crate::types::{Elementary, Family};

const ADDRESS_BYTES: usize = 20;

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
