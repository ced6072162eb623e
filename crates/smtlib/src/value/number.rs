//! Unbounded integers and rationals: the theories Ints, Reals, Reals_Ints.
//!
//! Division and remainder by zero are underspecified; the callers here get
//! `None` for them. Sizes are checked before anything is computed.

use std::cmp::Ordering;

use dashu_int::Sign;
use dashu_int::ops::{BitTest, DivEuclid, RemEuclid};

use super::{CannotSay, MAX_BITS};

/// An unbounded integer.
pub type Int = dashu_int::IBig;
/// An unbounded natural number.
pub type Natural = dashu_int::UBig;
/// An exact rational in lowest terms.
pub type Rational = dashu_ratio::RBig;

/// Digits that certainly exceed [`MAX_BITS`] are refused unread.
const MAX_DIGITS: usize = MAX_BITS * 10 / 33;

fn too_large<T>() -> Result<T, CannotSay> {
    Err(CannotSay::TooLarge("a number"))
}

/// The value if it keeps within the bound.
fn bounded(int: Int) -> Result<Int, CannotSay> {
    match int.bit_len() <= MAX_BITS {
        true => Ok(int),
        false => too_large(),
    }
}

/// The bits of numerator and denominator together.
fn size(real: &Rational) -> usize {
    real.numerator().bit_len() + real.denominator().bit_len()
}

/// Reads a numeral: decimal digits only.
pub fn parse_numeral(digits: &str) -> Result<Natural, CannotSay> {
    if digits.len() > MAX_DIGITS {
        return too_large();
    }
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    match (plain, Natural::from_str_radix(digits, 10)) {
        (true, Ok(natural)) => Ok(natural),
        _ => Err(CannotSay::IllTyped(format!("the numeral `{digits}`"))),
    }
}

/// Reads a decimal: digits, a point, digits.
pub fn parse_decimal(text: &str) -> Result<Rational, CannotSay> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if text.len() > MAX_DIGITS / 2 {
        return too_large();
    }
    let digits = parse_numeral(&format!("{whole}{part}"))?;
    let scale = Natural::from(10u8).pow(part.len());
    Ok(Rational::from_parts(digits.into(), scale))
}

/// The order of an integer and a rational.
pub fn compare(int: &Int, real: &Rational) -> Ordering {
    if real.is_int() {
        return int.cmp(real.numerator());
    }
    // floor(real) < real < floor(real) + 1, so equality cannot occur.
    match int <= &real.floor() {
        true => Ordering::Less,
        false => Ordering::Greater,
    }
}

/// `a + b`
pub fn add(a: &Int, b: &Int) -> Result<Int, CannotSay> {
    bounded(a + b)
}

/// `a - b`
pub fn sub(a: &Int, b: &Int) -> Result<Int, CannotSay> {
    bounded(a - b)
}

/// `a * b`
pub fn mul(a: &Int, b: &Int) -> Result<Int, CannotSay> {
    match a.bit_len() + b.bit_len() > MAX_BITS {
        true => too_large(),
        false => Ok(a * b),
    }
}

/// `(div a b)`: Euclidean; `None` for a zero divisor.
pub fn div(a: &Int, b: &Int) -> Option<Int> {
    (!b.is_zero()).then(|| a.div_euclid(b))
}

/// `(mod a b)`: never negative; `None` for a zero divisor.
pub fn modulo(a: &Int, b: &Int) -> Option<Int> {
    (!b.is_zero()).then(|| Int::from(a.rem_euclid(b)))
}

/// `(abs a)`
pub fn abs(a: &Int) -> Int {
    match a.sign() {
        Sign::Negative => -a,
        Sign::Positive => a.clone(),
    }
}

/// `((_ divisible n) a)`; `None` for n = 0.
pub fn divisible(a: &Int, n: &Natural) -> Option<bool> {
    let n = Int::from(n.clone());
    modulo(a, &n).map(|rest| rest.is_zero())
}

/// `(^ a n)` for n >= 0; `None` for what is left open (0^0, negative n).
pub fn pow(a: &Int, n: &Int) -> Option<Result<Int, CannotSay>> {
    if n.sign() == Sign::Negative || (a.is_zero() && n.is_zero()) {
        return None;
    }
    let unit = a.is_zero() || a.is_one() || *a == Int::NEG_ONE;
    if unit {
        let even = !n.bit(0);
        let power = if even && !a.is_zero() {
            abs(a)
        } else {
            a.clone()
        };
        return Some(Ok(power));
    }
    // |a| >= 2, so the power has at least n bits.
    let n = usize::try_from(n).ok().filter(|n| *n <= MAX_BITS);
    Some(match n {
        Some(n) if (a.bit_len()).saturating_mul(n) <= MAX_BITS => Ok(a.pow(n)),
        _ => too_large(),
    })
}

/// A rational operation whose result has at most the bits of both together.
fn within(a: &Rational, b: &Rational) -> Result<(), CannotSay> {
    match size(a) + size(b) > MAX_BITS {
        true => too_large(),
        false => Ok(()),
    }
}

/// `a + b`
pub fn add_real(a: &Rational, b: &Rational) -> Result<Rational, CannotSay> {
    within(a, b).map(|()| a + b)
}

/// `a - b`
pub fn sub_real(a: &Rational, b: &Rational) -> Result<Rational, CannotSay> {
    within(a, b).map(|()| a - b)
}

/// `a * b`
pub fn mul_real(a: &Rational, b: &Rational) -> Result<Rational, CannotSay> {
    within(a, b).map(|()| a * b)
}

/// `(/ a b)`; `None` for a zero divisor.
pub fn div_real(a: &Rational, b: &Rational) -> Option<Result<Rational, CannotSay>> {
    (!b.is_zero()).then(|| within(a, b).map(|()| a / b))
}

/// `(^ a n)` for a rational base and an integer exponent.
pub fn pow_real(a: &Rational, n: &Int) -> Option<Result<Rational, CannotSay>> {
    if a.is_zero() && (n.is_zero() || n.sign() == Sign::Negative) {
        return None;
    }
    let magnitude = abs(n);
    let numerator = pow(a.numerator(), &magnitude).unwrap_or(Ok(Int::ONE));
    let denominator = pow(&Int::from(a.denominator().clone()), &magnitude);
    let power = numerator.and_then(|numerator| {
        let denominator = denominator.unwrap_or(Ok(Int::ONE))?;
        Ok(match n.sign() {
            Sign::Negative => Rational::from_parts_signed(denominator, numerator),
            Sign::Positive => Rational::from_parts_signed(numerator, denominator),
        })
    });
    Some(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Int {
        Int::from_str_radix(text, 10).unwrap()
    }

    #[test]
    fn division_is_euclidean() {
        // The table of the standard's Ints theory, all sign combinations.
        for (a, b, quotient, rest) in [
            (7, 2, 3, 1),
            (7, -2, -3, 1),
            (-7, 2, -4, 1),
            (-7, -2, 4, 1),
            (6, 3, 2, 0),
            (-6, 3, -2, 0),
            (0, -5, 0, 0),
            (1, -5, 0, 1),
            (-1, 5, -1, 4),
            (-1, -5, 1, 4),
        ] {
            let (a, b) = (Int::from(a), Int::from(b));
            assert_eq!(div(&a, &b), Some(Int::from(quotient)), "{a} div {b}");
            assert_eq!(modulo(&a, &b), Some(Int::from(rest)), "{a} mod {b}");
        }
        assert_eq!(div(&Int::ONE, &Int::ZERO), None);
        assert_eq!(modulo(&Int::ONE, &Int::ZERO), None);
    }

    #[test]
    fn hostile_powers_are_refused_at_once() {
        let huge = int("1000000000000000000000000000000");
        for (a, n, power) in [
            ("2", "10", Some(Ok("1024"))),
            ("-2", "3", Some(Ok("-8"))),
            ("0", "5", Some(Ok("0"))),
            ("0", "0", None),
            ("5", "-1", None),
            ("1", "1000000000000000000000000000000", Some(Ok("1"))),
            ("-1", "1000000000000000000000000000000", Some(Ok("1"))),
            ("-1", "1000000000000000000000000000001", Some(Ok("-1"))),
            ("2", "1000000000", Some(Err(()))),
            ("2", "1000000000000000000000000000000", Some(Err(()))),
            ("3", "1048576", Some(Err(()))),
        ] {
            let found = pow(&int(a), &int(n)).map(|p| p.map_err(|_| ()));
            assert_eq!(found, power.map(|p| p.map(int)), "{a} ^ {n}");
        }
        let big = Int::ONE << (MAX_BITS - 10);
        assert!(mul(&big, &huge).is_err());
        assert!(add(&(Int::ONE << (MAX_BITS - 1)), &(Int::ONE << (MAX_BITS - 1))).is_err());
        assert!(parse_numeral(&"9".repeat(10_000_000)).is_err());
        assert!(parse_decimal(&format!("0.{}", "9".repeat(10_000_000))).is_err());
    }

    #[test]
    fn rational_powers_turn_around_for_negative_exponents() {
        let half = Rational::from_parts(Int::ONE, Natural::from(2u8));
        let eight = Rational::from(Int::from(8));
        assert_eq!(pow_real(&half, &Int::from(-3)), Some(Ok(eight)));
        assert_eq!(pow_real(&Rational::ZERO, &Int::from(-1)), None);
    }

    #[test]
    fn decimals_are_read_exactly() {
        for (text, numerator, denominator) in [("0.5", 1, 2), ("10.250", 41, 4), ("3.0", 3, 1)] {
            let expected =
                Rational::from_parts(Int::from(numerator), Natural::from(denominator as u32));
            assert_eq!(parse_decimal(text), Ok(expected), "{text}");
        }
        for bad in ["", ".", "1.-5", "a", "+1", "1_0"] {
            assert!(parse_decimal(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn integers_and_reals_share_one_order() {
        let third = Rational::from_parts(Int::from(-1), Natural::from(3u8));
        assert_eq!(compare(&Int::ZERO, &third), Ordering::Greater);
        assert_eq!(compare(&Int::NEG_ONE, &third), Ordering::Less);
        assert_eq!(compare(&Int::ONE, &Rational::ONE), Ordering::Equal);
    }
}
