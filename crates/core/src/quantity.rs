//! Durations and sizes as people write them: `8s`, `10m`, `2GiB`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A duration in text: a number and `ms`, `s`, `m` or `h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Span(pub Duration);

/// A size in text: a number and `B`, `KiB`, `MiB`, `GiB` (or `KB`, `MB`, `GB`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Size(pub u64);

/// Why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: expected {expected}")]
pub struct QuantityError {
    text: String,
    expected: &'static str,
}

/// Units of time in milliseconds, longest first for printing.
const TIME_UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Units of size in bytes; those above `KB` are also used for printing.
const SIZE_UNITS: [(&str, u64); 8] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("KB", 1_000),
    ("B", 1),
];

/// `2.5` of a unit of `scale`, exactly, or `None` if it does not fit.
fn scaled(number: &str, scale: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let tens = 10u64.pow(fraction.len() as u32);
    let part = fraction.parse::<u64>().unwrap_or(0);
    let value = u128::from(whole.parse::<u64>().ok()?) * u128::from(scale)
        + u128::from(part) * u128::from(scale) / u128::from(tens);
    u64::try_from(value).ok()
}

fn read(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let unit = text[at..].trim_start();
    let (_, scale) = units.iter().find(|(name, _)| *name == unit)?;
    scaled(&text[..at], *scale)
}

fn write(f: &mut fmt::Formatter<'_>, value: u64, units: &[(&str, u64)]) -> fmt::Result {
    let fits = |(_, scale): &&(&str, u64)| value >= *scale && value.is_multiple_of(*scale);
    let (unit, scale) = units.iter().find(fits).unwrap_or(&units[units.len() - 1]);
    write!(f, "{}{unit}", value / scale)
}

impl FromStr for Span {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Span, QuantityError> {
        read(text, &TIME_UNITS)
            .map(|ms| Span(Duration::from_millis(ms)))
            .ok_or_else(|| QuantityError {
                text: text.to_string(),
                expected: "a number with ms, s, m or h, such as 8s or 10m",
            })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.0.as_millis() as u64, &TIME_UNITS)
    }
}

impl FromStr for Size {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Size, QuantityError> {
        read(text, &SIZE_UNITS)
            .map(Size)
            .ok_or_else(|| QuantityError {
                text: text.to_string(),
                expected: "a number with B, KiB, MiB or GiB, such as 2GiB",
            })
    }
}

impl Size {
    /// For people: one digit behind the point of the largest unit that fits.
    pub fn rounded(self) -> String {
        let fits = |unit: &&(&str, u64)| unit.0.ends_with("iB") && self.0 >= unit.1;
        match SIZE_UNITS.iter().find(fits) {
            Some((name, unit)) => {
                let tenths = (u128::from(self.0) * 10 + u128::from(*unit) / 2) / u128::from(*unit);
                format!("{}.{} {name}", tenths / 10, tenths % 10)
            }
            None => format!("{} B", self.0),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.0, &SIZE_UNITS)
    }
}

impl From<Span> for String {
    fn from(span: Span) -> String {
        span.to_string()
    }
}

impl TryFrom<String> for Span {
    type Error = QuantityError;

    fn try_from(text: String) -> Result<Span, QuantityError> {
        text.parse()
    }
}

impl From<Size> for String {
    fn from(size: Size) -> String {
        size.to_string()
    }
}

impl TryFrom<String> for Size {
    type Error = QuantityError;

    fn try_from(text: String) -> Result<Size, QuantityError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_read_and_print() {
        for (text, ms, shown) in [
            ("8s", 8_000, "8s"),
            ("1.5s", 1_500, "1500ms"),
            ("10m", 600_000, "10m"),
            ("90 s", 90_000, "90s"),
            ("0s", 0, "0ms"),
            ("2h", 7_200_000, "2h"),
        ] {
            let span: Span = text.parse().unwrap();
            assert_eq!((span.0.as_millis(), span.to_string().as_str()), (ms, shown));
        }
        for (text, bytes, shown) in [
            ("2GiB", 2 << 30, "2GiB"),
            ("0.5MiB", 1 << 19, "512KiB"),
            ("10MB", 10_000_000, "10MB"),
            ("7B", 7, "7B"),
        ] {
            let size: Size = text.parse().unwrap();
            assert_eq!((size.0, size.to_string().as_str()), (bytes, shown));
        }
    }

    #[test]
    fn sizes_for_people_are_rounded() {
        for (bytes, shown) in [
            (0, "0 B"),
            (1_023, "1023 B"),
            (1_536, "1.5 KiB"),
            (87_090_343, "83.1 MiB"),
            (u64::MAX, "16777216.0 TiB"),
        ] {
            assert_eq!(Size(bytes).rounded(), shown);
        }
    }

    #[test]
    fn what_is_no_quantity_says_what_was_expected() {
        for text in [
            "", "8", "s", "-1s", "8sec", "1..5s", "99999999999999999999h", "1e9s",
        ] {
            let error = text.parse::<Span>().unwrap_err().to_string();
            assert!(error.contains("such as 8s"), "{error}");
        }
        for text in ["2", "2gib", "18446744073709551615GiB"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
