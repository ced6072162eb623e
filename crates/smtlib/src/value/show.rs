//! Values as SMT-LIB writes them.
//!
//! Arrays and sets print without their sorts, which values do not carry:
//! good for people, not for solvers.

use std::fmt;

use dashu_int::Sign;

use super::{BitVec, Float, Int, Natural, Rational, Value, text};

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(int) => write_int(f, int),
            Value::Real(real) => write_real(f, real),
            Value::Algebraic(number) => write!(f, "{number}"),
            Value::BitVec(bits) => write!(f, "{bits}"),
            Value::Float(float) => write!(f, "{float}"),
            Value::RoundingMode(mode) => f.write_str(mode.names()[0]),
            Value::String(codes) => f.write_str(&text::quoted(codes)),
            Value::Regex(_) => f.write_str("(a regular expression)"),
            Value::Array(array) | Value::Set(array) => {
                for _ in array.entries() {
                    f.write_str("(store ")?;
                }
                write!(f, "((as const Array) {})", array.default())?;
                for (index, value) in array.entries() {
                    write!(f, " {index} {value})")?;
                }
                Ok(())
            }
            Value::Bag(array) => {
                f.write_str("(bag.union_disjoint")?;
                for (item, count) in array.entries() {
                    write!(f, " (bag {item} {count})")?;
                }
                f.write_str(")")
            }
            Value::Field(element) => write!(f, "#f{}m{}", element.value, element.order),
            Value::Seq(items) => match &items[..] {
                [] => f.write_str("seq.empty"),
                [item] => write!(f, "(seq.unit {item})"),
                items => {
                    f.write_str("(seq.++")?;
                    for item in items {
                        write!(f, " (seq.unit {item})")?;
                    }
                    f.write_str(")")
                }
            },
            Value::Datatype(datatype) => {
                let name = crate::print::quoted(&datatype.constructor);
                if datatype.fields.is_empty() {
                    return f.write_str(&name);
                }
                write!(f, "({name}")?;
                for field in &datatype.fields {
                    write!(f, " {field}")?;
                }
                f.write_str(")")
            }
            Value::Element(element) => f.write_str(&crate::print::quoted(&element.name)),
            Value::Closure(_) => f.write_str("(a function)"),
        }
    }
}

fn write_int(f: &mut fmt::Formatter<'_>, int: &Int) -> fmt::Result {
    match int.sign() {
        Sign::Negative => write!(f, "(- {})", -int),
        Sign::Positive => write!(f, "{int}"),
    }
}

fn write_real(f: &mut fmt::Formatter<'_>, real: &Rational) -> fmt::Result {
    let (sign, numerator) = real.numerator().clone().into_parts();
    let open = if sign == Sign::Negative { "(- " } else { "" };
    let close = if sign == Sign::Negative { ")" } else { "" };
    match real.is_int() {
        true => write!(f, "{open}{numerator}.0{close}"),
        false => write!(f, "{open}(/ {numerator}.0 {}.0){close}", real.denominator()),
    }
}

impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width() as usize;
        match width % 4 {
            0 => write!(f, "#x{}", padded(self.unsigned(), 16, width / 4)),
            _ => write!(f, "#b{}", padded(self.unsigned(), 2, width)),
        }
    }
}

/// The digits with leading zeros. (The width of a format string is bounded.)
fn padded(number: &Natural, radix: u8, width: usize) -> String {
    let digits = number.in_radix(radix).to_string();
    "0".repeat(width.saturating_sub(digits.len())) + &digits
}

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = self.format();
        let Some(bits) = self.to_bits() else {
            return write!(f, "(_ NaN {} {})", format.eb, format.sb);
        };
        let part = |high: u32, low: u32| -> Natural {
            let part = bits.extract(high, low).expect("inside the encoding");
            part.unsigned().clone()
        };
        let digits = |part: Natural, width: u32| padded(&part, 2, width as usize);
        let fraction = format.sb - 1;
        write!(
            f,
            "(fp #b{} #b{} #b{})",
            u8::from(self.is_negative()),
            digits(part(format.width() - 2, fraction), format.eb),
            digits(part(fraction - 1, 0), fraction),
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::value::{BitVec, Float, Format, Int, Natural, Rational, RoundingMode, Value};

    #[test]
    fn values_print_as_solvers_read_them() {
        let real =
            |n: i32, d: u32| Value::Real(Rational::from_parts(Int::from(n), Natural::from(d)));
        let bits = |w: u32, n: u32| Value::BitVec(BitVec::new(w, Natural::from(n)).unwrap());
        let half = Format::HALF;
        let third = Rational::from_parts(Int::ONE, Natural::from(3u8));
        for (value, text) in [
            (Value::Int(Int::from(-5)), "(- 5)"),
            (real(-1, 3), "(- (/ 1.0 3.0))"),
            (real(4, 2), "2.0"),
            (bits(8, 10), "#x0a"),
            (bits(5, 10), "#b01010"),
            (Value::Float(Float::nan(half)), "(_ NaN 5 11)"),
            (
                Value::Float(Float::infinity(half, true)),
                "(fp #b1 #b11111 #b0000000000)",
            ),
            (
                Value::Float(Float::from_rational(half, RoundingMode::Rne, &third)),
                "(fp #b0 #b01101 #b0101010101)",
            ),
            (Value::seq([Value::Bool(true)]).unwrap(), "(seq.unit true)"),
            (
                Value::datatype("a b".into(), vec![real(1, 1)]).unwrap(),
                "(|a b| 1.0)",
            ),
        ] {
            assert_eq!(value.to_string(), text);
        }
    }
}
