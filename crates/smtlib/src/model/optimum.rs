//! Values that z3 prints for objectives: numbers, `oo`, `epsilon`, and intervals of
//! these.

use std::cmp::Ordering;

use super::reply::items;
use crate::value::number::parse_decimal;
use crate::value::{Natural, Rational};

/// Deeper values are not read.
const MOST_DEPTH: u32 = 8;

/// `infinite · oo + plain + tiny · epsilon`; ordered as written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Extended {
    infinite: Rational,
    plain: Rational,
    tiny: Rational,
}

impl Extended {
    /// A number.
    pub(crate) fn plain(plain: Rational) -> Extended {
        Extended {
            infinite: Rational::ZERO,
            plain,
            tiny: Rational::ZERO,
        }
    }

    /// The number, if it is one and nothing is added to it.
    pub(crate) fn number(&self) -> Option<&Rational> {
        let is_number = self.infinite.is_zero() && self.tiny.is_zero();
        is_number.then_some(&self.plain)
    }

    /// The number that it is as close to as one likes, and whether it is above it.
    pub(crate) fn beside(&self) -> Option<(&Rational, bool)> {
        let is_beside = self.infinite.is_zero() && !self.tiny.is_zero();
        is_beside.then(|| (&self.plain, self.tiny > Rational::ZERO))
    }

    /// If it is infinite, whether it is above all numbers.
    pub(crate) fn infinity(&self) -> Option<bool> {
        match self.infinite.cmp(&Rational::ZERO) {
            Ordering::Equal => None,
            other => Some(other == Ordering::Greater),
        }
    }

    /// In words, as far as numbers are rational.
    pub(crate) fn shown(&self) -> String {
        match (self.infinity(), self.beside()) {
            (Some(true), _) => "oo".to_string(),
            (Some(false), _) => "-oo".to_string(),
            (None, Some((number, true))) => format!("{number} + epsilon"),
            (None, Some((number, false))) => format!("{number} - epsilon"),
            (None, None) => self.plain.to_string(),
        }
    }

    fn of(infinite: i32, tiny: i32) -> Extended {
        Extended {
            infinite: Rational::from(infinite),
            plain: Rational::ZERO,
            tiny: Rational::from(tiny),
        }
    }

    fn read(text: &str, depth: u32) -> Option<Extended> {
        match text {
            "oo" => return Some(Extended::of(1, 0)),
            "epsilon" => return Some(Extended::of(0, 1)),
            _ => {}
        }
        let Some(inside) = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'))
        else {
            return number(text).map(Extended::plain);
        };
        if depth == 0 {
            return None;
        }
        let parts = items(inside);
        let (head, arguments) = parts.split_first()?;
        let read = |text: &&str| Extended::read(text, depth - 1);
        let arguments: Option<Vec<Extended>> = arguments.iter().map(read).collect();
        let arguments = arguments?;
        let (first, rest) = arguments.split_first()?;
        match (*head, rest) {
            ("-", []) => Some(first.times(&Rational::from(-1))),
            ("+", _) => Some(rest.iter().fold(first.clone(), |sum, one| sum.plus(one))),
            ("-", _) => {
                let minus = Rational::from(-1);
                let less = |sum: Extended, one: &Extended| sum.plus(&one.times(&minus));
                Some(rest.iter().fold(first.clone(), less))
            }
            ("*", [second]) => match (first.number(), second.number()) {
                (Some(factor), _) => Some(second.times(factor)),
                (None, Some(factor)) => Some(first.times(factor)),
                (None, None) => None,
            },
            ("/", [second]) => {
                let divisor = second.number().filter(|divisor| !divisor.is_zero())?;
                Some(first.times(&(Rational::ONE / divisor)))
            }
            _ => None,
        }
    }

    fn plus(&self, other: &Extended) -> Extended {
        Extended {
            infinite: &self.infinite + &other.infinite,
            plain: &self.plain + &other.plain,
            tiny: &self.tiny + &other.tiny,
        }
    }

    fn times(&self, factor: &Rational) -> Extended {
        Extended {
            infinite: &self.infinite * factor,
            plain: &self.plain * factor,
            tiny: &self.tiny * factor,
        }
    }
}

fn number(text: &str) -> Option<Rational> {
    let radix = |digits: &str, radix| {
        let natural = Natural::from_str_radix(digits, radix).ok()?;
        Some(Rational::from(natural))
    };
    match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => radix(digits, 16),
        (_, Some(digits)) => radix(digits, 2),
        _ => parse_decimal(text).ok(),
    }
}

/// What is said of an objective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Optimum {
    /// It is this.
    Exactly(Extended),
    /// It is one of these.
    Between(Extended, Extended),
}

impl Optimum {
    fn read(text: &str) -> Option<Optimum> {
        let inside = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        match inside.map(items).as_deref() {
            Some(["interval", low, high]) => Some(Optimum::Between(
                Extended::read(low, MOST_DEPTH)?,
                Extended::read(high, MOST_DEPTH)?,
            )),
            _ => Extended::read(text, MOST_DEPTH).map(Optimum::Exactly),
        }
    }
}

/// The values behind `objectives`, in order: each item is a name or term, which may be
/// missing, and the value. None if something is not read.
pub(crate) fn optima(printed: &str) -> Option<Vec<Optimum>> {
    let of = |item: &str| {
        let inside = item.strip_prefix('(')?.strip_suffix(')')?;
        Optimum::read(items(inside).last()?)
    };
    items(printed).into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_z3_writes_them() {
        let words = |value: &Optimum| match value {
            Optimum::Exactly(value) => value.shown(),
            Optimum::Between(low, high) => format!("{} to {}", low.shown(), high.shown()),
        };
        for (printed, expected) in [
            (" (x 5)\n ((+ x y) (- 3))", vec!["5", "-3"]),
            ("( 2)", vec!["2"]),
            ("(goal 7)(|a b| 0.5)", vec!["7", "1/2"]),
            (
                "(x (/ (- 1.0) 3.0))(x (- (/ 1.0 3.0)))",
                vec!["-1/3", "-1/3"],
            ),
            ("(x oo)(y (* (- 1) oo))(z (- oo))", vec!["oo", "-oo", "-oo"]),
            (
                "(x (+ (/ 16.0 5.0) epsilon))(x (+ 12.7 (* (- 1.0) epsilon)))(y epsilon)",
                vec!["16/5 + epsilon", "127/10 - epsilon", "0 + epsilon"],
            ),
            (
                "(p  (interval 15 0))(e  (interval (* (- 1) oo) oo))",
                vec!["15 to 0", "-oo to oo"],
            ),
            ("(b #x0f)", vec!["15"]),
            ("", vec![]),
        ] {
            let read = optima(printed).unwrap();
            let shown: Vec<String> = read.iter().map(words).collect();
            assert_eq!(shown, expected, "{printed}");
        }
        for odd in [
            "(x y)", "x", "(x (/ 1 0))", "(x (* oo oo))", "()", "(x #xzz)",
        ] {
            assert_eq!(optima(odd), None, "{odd}");
        }
        let deep = format!("(x {}1{})", "(- ".repeat(100), ")".repeat(100));
        assert_eq!(optima(&deep), None);
    }

    #[test]
    fn what_is_beside_a_number_is_on_one_side_of_it() {
        let value = |text: &str| Extended::read(text, MOST_DEPTH).unwrap();
        assert!(value("(+ 1 epsilon)") > value("1"));
        assert!(value("(+ 1 (* (- 1) epsilon))").number().is_none());
        assert!(value("(- 1 epsilon)") < value("1"));
        assert!(value("oo") > value("100000000000000000000"));
        assert_eq!(value("oo").infinity(), Some(true));
    }
}
