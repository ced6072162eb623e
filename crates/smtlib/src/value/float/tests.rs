//! Tiny formats exhaustively against a reference on rationals; the common
//! formats against `rustc_apfloat`; corner cases as tables.

use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float as ApFloat, FloatConvert, Round};

use super::*;
use crate::value::{Int, Rational};
use lydite_core::Choices;

const MODES: [RoundingMode; 5] = RoundingMode::ALL;

fn bits(format: Format, bits: u128) -> Float {
    Float::from_bits(
        format,
        &BitVec::new(format.width(), Natural::from(bits)).unwrap(),
    )
    .unwrap()
}

fn all(format: Format) -> Vec<Float> {
    (0..1u128 << format.width())
        .map(|n| bits(format, n))
        .collect()
}

/// The finite values of a format in order, zero once, with their floats.
struct Line {
    format: Format,
    values: Vec<(Rational, Float)>,
}

impl Line {
    fn new(format: Format) -> Line {
        let mut values: Vec<(Rational, Float)> = all(format)
            .into_iter()
            .filter(|x| !(x.is_zero() && x.is_negative()))
            .filter_map(|x| Some((x.to_real().ok()?, x)))
            .collect();
        values.sort_by(|a, b| a.0.cmp(&b.0));
        Line { format, values }
    }

    /// Rounds a non-zero rational by looking at its neighbours, among which
    /// the number after the largest counts as the infinity (IEEE 754, 4.3).
    fn round(&self, mode: RoundingMode, x: &Rational) -> Float {
        let negative = *x < Rational::ZERO;
        let above = self.values.partition_point(|(value, _)| value < x);
        if let Some((value, float)) = self.values.get(above)
            && value == x
        {
            return float.clone();
        }
        let next_power = |last: &Rational, before: &Rational| last + (last - before);
        let n = self.values.len();
        let low = match above.checked_sub(1) {
            Some(i) => self.values[i].clone(),
            None => (
                next_power(&self.values[0].0, &self.values[1].0),
                Float::infinity(self.format, true),
            ),
        };
        let high = match self.values.get(above) {
            Some(pair) => pair.clone(),
            None => (
                next_power(&self.values[n - 1].0, &self.values[n - 2].0),
                Float::infinity(self.format, false),
            ),
        };
        let chosen = self.choose(mode, x, low, high);
        match chosen.is_zero() {
            true => Float::zero(self.format, negative),
            false => chosen,
        }
    }

    fn choose(
        &self,
        mode: RoundingMode,
        x: &Rational,
        low: (Rational, Float),
        high: (Rational, Float),
    ) -> Float {
        let negative = *x < Rational::ZERO;
        let outside = low.1.is_infinite() || high.1.is_infinite();
        let toward_zero = if negative { high.clone() } else { low.clone() };
        let away = if negative { low.clone() } else { high.clone() };
        let down = x - &low.0;
        let up = &high.0 - x;
        let even = |float: &Float| float.to_bits().is_some_and(|bits| !bits.bit(0));
        match mode {
            RoundingMode::Rtz => toward_zero.1,
            RoundingMode::Rtp => high.1,
            RoundingMode::Rtn => low.1,
            RoundingMode::Rne | RoundingMode::Rna if down < up => low.1,
            RoundingMode::Rne | RoundingMode::Rna if up < down => high.1,
            RoundingMode::Rna => away.1,
            // The largest finite number is odd: a tie goes to infinity.
            RoundingMode::Rne if outside => away.1,
            RoundingMode::Rne if even(&low.1) => low.1,
            RoundingMode::Rne => high.1,
        }
    }
}

const TINY: [Format; 6] = [
    Format { eb: 2, sb: 2 },
    Format { eb: 2, sb: 3 },
    Format { eb: 2, sb: 4 },
    Format { eb: 3, sb: 2 },
    Format { eb: 3, sb: 3 },
    Format { eb: 3, sb: 4 },
];

/// The nearest integer, ties to even.
fn nearest_even(x: &Rational) -> Int {
    let floor = x.floor();
    let rest = x - Rational::from(floor.clone());
    let half = Rational::from_parts(Int::ONE, Natural::from(2u8));
    let odd = !(&floor % Int::from(2)).is_zero();
    match rest.cmp(&half) {
        std::cmp::Ordering::Less => floor,
        std::cmp::Ordering::Equal if !odd => floor,
        _ => floor + Int::ONE,
    }
}

#[test]
fn tiny_formats_agree_with_rationals_on_every_pair() {
    for format in TINY {
        let line = Line::new(format);
        let floats = all(format);
        for x in floats.iter().filter(|x| x.to_real().is_ok()) {
            for y in floats.iter().filter(|y| y.to_real().is_ok()) {
                check_pair(&line, x, y);
            }
        }
    }
}

fn check_pair(line: &Line, x: &Float, y: &Float) {
    let (a, b) = (x.to_real().unwrap(), y.to_real().unwrap());
    for mode in MODES {
        let (sum, product) = (&a + &b, &a * &b);
        if !sum.is_zero() {
            assert_eq!(
                x.add(mode, y),
                line.round(mode, &sum),
                "{x:?} + {y:?} {mode:?}"
            );
        }
        if !(&a - &b).is_zero() {
            assert_eq!(x.sub(mode, y), line.round(mode, &(&a - &b)));
        }
        if !product.is_zero() {
            assert_eq!(
                x.mul(mode, y),
                line.round(mode, &product),
                "{x:?} * {y:?} {mode:?}"
            );
        }
        if !a.is_zero() && !b.is_zero() {
            assert_eq!(
                x.div(mode, y),
                line.round(mode, &(&a / &b)),
                "{x:?} / {y:?} {mode:?}"
            );
        }
        assert_eq!(
            Float::from_rational(line.format, mode, &(&a + &b / Rational::from(Int::from(3)))),
            match &a + &b / Rational::from(Int::from(3)) {
                zero if zero.is_zero() => Float::zero(line.format, false),
                other => line.round(mode, &other),
            }
        );
    }
    if !b.is_zero() {
        let n = nearest_even(&(&a / &b));
        let rest = &a - &b * Rational::from(n);
        let expected = match rest.is_zero() {
            true => Float::zero(line.format, x.is_negative()),
            false => line.round(RoundingMode::Rne, &rest),
        };
        assert_eq!(x.rem(y), expected, "{x:?} rem {y:?}");
    }
    assert_eq!(x.lt(y), a < b);
    assert_eq!(x.leq(y), a <= b);
    assert_eq!(x.ieee_eq(y), a == b);
}

#[test]
fn tiny_formats_agree_with_rationals_on_fused_products_and_roots() {
    let format = Format { eb: 3, sb: 3 };
    let line = Line::new(format);
    let floats: Vec<(Float, Rational)> = all(format)
        .into_iter()
        .filter_map(|x| Some((x.clone(), x.to_real().ok()?)))
        .collect();
    for (x, a) in &floats {
        for (y, b) in &floats {
            for (z, c) in &floats {
                let exact = a * b + c;
                if exact.is_zero() {
                    continue;
                }
                for mode in MODES {
                    assert_eq!(x.fma(mode, y, z), line.round(mode, &exact));
                }
            }
        }
        for mode in MODES.into_iter().filter(|_| *a > Rational::ZERO) {
            let root = x.sqrt(mode);
            // The square of the root, corrected by what lies between: the
            // neighbours' squares enclose the operand.
            let r = root.to_real().unwrap();
            let exact = &r * &r == *a;
            match mode {
                _ if exact => {}
                RoundingMode::Rtp => assert!(&r * &r > *a),
                RoundingMode::Rtn | RoundingMode::Rtz => assert!(&r * &r < *a),
                RoundingMode::Rne | RoundingMode::Rna => {
                    let up = x.sqrt(RoundingMode::Rtp).to_real().unwrap();
                    let down = x.sqrt(RoundingMode::Rtn).to_real().unwrap();
                    let middle = (&up + &down) / Rational::from(Int::from(2));
                    let expected = if &middle * &middle < *a { up } else { down };
                    assert_eq!(r, expected);
                }
            }
        }
    }
}

/// Operand patterns: random bits, special values, neighbours of powers.
fn operand(choices: &mut Choices, format: Format) -> u128 {
    let width = format.width();
    let mask = if width == 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    };
    let random = |choices: &mut Choices| {
        let high = u128::from(choices.between(0, u64::MAX).unwrap());
        (high << 64) | u128::from(choices.between(0, u64::MAX).unwrap())
    };
    let exponent_one = 1u128 << (format.sb - 1);
    let bits = match choices.below(6).unwrap() {
        0 => random(choices),
        1 => *choices
            .pick(&[
                0,
                1,
                exponent_one,
                exponent_one - 1,
                exponent_one * ((1 << format.eb) - 1),
                exponent_one * ((1 << format.eb) - 1) - 1,
                exponent_one * ((1 << format.eb) - 1) + 1,
            ])
            .unwrap(),
        // Near one and near small integers.
        2 => {
            let bias = (1u128 << (format.eb - 1)) - 1;
            let exponent = bias + u128::from(choices.below(8).unwrap()) - 3;
            (exponent * exponent_one)
                .wrapping_add(u128::from(choices.below(8).unwrap()))
                .wrapping_sub(4)
        }
        3 => {
            random(choices)
                >> (width - 1 - choices.below(u64::from(width)).unwrap() as u32).min(127)
        }
        // Few significant bits.
        4 => random(choices) & !(mask >> (format.eb + 4).min(width - 1)),
        _ => {
            let exponent = u128::from(choices.below(1 << format.eb.min(16)).unwrap());
            (exponent * exponent_one).wrapping_sub(u128::from(choices.below(3).unwrap()))
        }
    };
    let sign = u128::from(choices.below(2).unwrap()) << (width - 1);
    (bits ^ sign) & mask
}

fn ap_mode(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::Rne => Round::NearestTiesToEven,
        RoundingMode::Rna => Round::NearestTiesToAway,
        RoundingMode::Rtp => Round::TowardPositive,
        RoundingMode::Rtn => Round::TowardNegative,
        RoundingMode::Rtz => Round::TowardZero,
    }
}

/// Checks that a result of ours is one of theirs; NaNs have many encodings.
fn same<T: ApFloat>(ours: &Float, theirs: T, what: &dyn Fn() -> String) {
    match ours.to_bits() {
        None => assert!(theirs.is_nan(), "{}", what()),
        Some(bits) => {
            assert!(!theirs.is_nan(), "{}", what());
            let bits = u128::try_from(bits.unsigned()).unwrap();
            assert_eq!(bits, theirs.to_bits(), "{}", what());
        }
    }
}

/// One round of all operations on random operands; how many there were.
fn compare_with_apfloat<T>(choices: &mut Choices, format: Format) -> u64
where
    T: ApFloat
        + FloatConvert<Half>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<Quad>,
{
    let [a, b, c] = [(); 3].map(|()| operand(choices, format));
    let mode = *choices.pick(&MODES).unwrap();
    let (x, y, z) = (bits(format, a), bits(format, b), bits(format, c));
    let (p, q, r) = (T::from_bits(a), T::from_bits(b), T::from_bits(c));
    let round = ap_mode(mode);
    let what = |name: &'static str| move || format!("{name} {mode:?} {a:#x} {b:#x} {c:#x}");
    same(&x.add(mode, &y), p.add_r(q, round).value, &what("add"));
    same(&x.sub(mode, &y), p.sub_r(q, round).value, &what("sub"));
    same(&x.mul(mode, &y), p.mul_r(q, round).value, &what("mul"));
    same(&x.div(mode, &y), p.div_r(q, round).value, &what("div"));
    same(
        &x.fma(mode, &y, &z),
        p.mul_add_r(q, r, round).value,
        &what("fma"),
    );
    same(
        &x.round_to_integral(mode),
        p.round_to_integral(round).value,
        &what("integral"),
    );
    same(&x.neg(), -p, &what("neg"));
    assert_eq!(x.compare(&y), p.partial_cmp(&q), "{}", what("compare")());
    let int = c as i128;
    same(
        &Float::from_int(format, mode, &Int::from(int)),
        T::from_i128_r(int, round).value,
        &what("from int"),
    );
    let classes = [
        x.is_nan(),
        x.is_infinite(),
        x.is_zero(),
        x.is_subnormal(),
        x.is_normal(),
    ];
    let expected = [
        p.is_nan(),
        p.is_infinite(),
        p.is_zero(),
        p.is_denormal(),
        p.is_normal(),
    ];
    assert_eq!(classes, expected, "{a:#x}");
    compare_conversions(&x, p, mode, &|name| format!("{name} {mode:?} {a:#x}"));
    15
}

/// One float to the formats and to 64 bits.
fn compare_conversions<T>(x: &Float, p: T, mode: RoundingMode, what: &dyn Fn(&str) -> String)
where
    T: ApFloat
        + FloatConvert<Half>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<Quad>,
{
    let round = ap_mode(mode);
    let mut loses = false;
    let half: Half = p.convert_r(round, &mut loses).value;
    same(&x.to_format(Format::HALF, mode), half, &|| what("to half"));
    let single: Single = p.convert_r(round, &mut loses).value;
    same(&x.to_format(Format::SINGLE, mode), single, &|| {
        what("to single")
    });
    let double: Double = p.convert_r(round, &mut loses).value;
    same(&x.to_format(Format::DOUBLE, mode), double, &|| {
        what("to double")
    });
    let quad: Quad = p.convert_r(round, &mut loses).value;
    same(&x.to_format(Format::QUAD, mode), quad, &|| what("to quad"));
    let mut exact = false;
    let sbv = p.to_i128_r(64, round, &mut exact);
    if sbv.status != rustc_apfloat::Status::INVALID_OP {
        let ours = x.to_sbv(64, mode).map(|bits| bits.signed());
        assert_eq!(ours, Ok(Int::from(sbv.value)), "{}", what("to sbv"));
    } else {
        assert!(x.to_sbv(64, mode).is_err(), "{}", what("to sbv"));
    }
}

#[test]
fn a_million_operations_agree_with_apfloat() {
    let mut operations = 0;
    for index in 0..17_000 {
        let mut choices = Choices::seeded(754, index);
        operations += compare_with_apfloat::<Half>(&mut choices, Format::HALF);
        operations += compare_with_apfloat::<Single>(&mut choices, Format::SINGLE);
        operations += compare_with_apfloat::<Double>(&mut choices, Format::DOUBLE);
        operations += compare_with_apfloat::<Quad>(&mut choices, Format::QUAD);
    }
    assert!(operations > 1_000_000);
}

#[test]
fn remainders_of_small_formats_agree_with_apfloat() {
    // apfloat's remainder takes time in the gap of the exponents: half only.
    for index in 0..20_000 {
        let mut choices = Choices::seeded(755, index);
        let (a, b) = (
            operand(&mut choices, Format::HALF),
            operand(&mut choices, Format::HALF),
        );
        let (x, y) = (bits(Format::HALF, a), bits(Format::HALF, b));
        let theirs = Half::from_bits(a).ieee_rem(Half::from_bits(b)).value;
        same(&x.rem(&y), theirs, &|| format!("rem {a:#x} {b:#x}"));
    }
}

#[test]
fn roots_agree_with_the_processor() {
    for index in 0..20_000 {
        let mut choices = Choices::seeded(756, index);
        let a = operand(&mut choices, Format::DOUBLE) as u64;
        let root = f64::from_bits(a).sqrt();
        let ours = bits(Format::DOUBLE, u128::from(a)).sqrt(RoundingMode::Rne);
        let ours = ours
            .to_bits()
            .map(|bits| u64::try_from(bits.unsigned()).unwrap());
        assert_eq!(
            ours,
            (!root.is_nan()).then(|| root.to_bits()),
            "sqrt {a:#x}"
        );
    }
}

#[test]
fn special_values_follow_ieee() {
    let f = Format::SINGLE;
    let (nan, inf, ninf) = (
        Float::nan(f),
        Float::infinity(f, false),
        Float::infinity(f, true),
    );
    let (zero, nzero) = (Float::zero(f, false), Float::zero(f, true));
    let one = Float::from_int(f, RoundingMode::Rne, &Int::ONE);
    for mode in MODES {
        assert_eq!(inf.add(mode, &ninf), nan);
        assert_eq!(inf.mul(mode, &zero), nan);
        assert_eq!(zero.div(mode, &nzero), nan);
        assert_eq!(one.div(mode, &nzero), ninf);
        assert_eq!(inf.div(mode, &inf), nan);
        assert_eq!(one.div(mode, &ninf), nzero);
        assert_eq!(inf.fma(mode, &zero, &nan), nan);
        assert_eq!(inf.fma(mode, &one, &ninf), nan);
        assert_eq!(one.fma(mode, &one, &ninf), ninf);
        assert_eq!(nzero.sqrt(mode), nzero);
        assert_eq!(ninf.sqrt(mode), nan);
        let exact_zero = Float::zero(f, mode == RoundingMode::Rtn);
        assert_eq!(one.sub(mode, &one), exact_zero);
        assert_eq!(zero.add(mode, &nzero), exact_zero);
        assert_eq!(nzero.add(mode, &nzero), nzero);
        assert_eq!(one.fma(mode, &one, &one.neg()), exact_zero);
    }
    assert_eq!(one.rem(&inf), one);
    assert_eq!(inf.rem(&one), nan);
    assert_eq!(one.rem(&zero), nan);
    assert_eq!(one.neg().rem(&one), nzero);
    assert!(zero.minimum(&nzero).is_err() && zero.maximum(&nzero).is_err());
    assert_eq!(zero.minimum(&zero), Ok(zero.clone()));
    assert_eq!(nan.minimum(&one), Ok(one.clone()));
    assert_eq!(one.maximum(&nan), Ok(one.clone()));
    assert_eq!(nan.maximum(&nan), Ok(nan.clone()));
    assert!(!nan.ieee_eq(&nan) && nan == nan.clone());
    assert!(zero.ieee_eq(&nzero) && zero != nzero);
    assert!(!nan.is_negative() && !nan.is_positive() && nan.neg() == nan);
    assert!(nan.to_real().is_err() && inf.to_real().is_err());
    for float in [nan, inf, ninf] {
        assert!(float.to_ubv(8, RoundingMode::Rtz).is_err());
        assert!(float.to_sbv(8, RoundingMode::Rtz).is_err());
    }
}

#[test]
fn conversions_to_bits_refuse_what_is_out_of_range() {
    let f = Format::SINGLE;
    let of = |numerator: i64, denominator: u32| {
        let real = Rational::from_parts(Int::from(numerator), Natural::from(denominator));
        Float::from_rational(f, RoundingMode::Rne, &real)
    };
    for (x, mode, unsigned, signed) in [
        (of(255, 1), RoundingMode::Rtz, Some(255), None),
        (of(511, 2), RoundingMode::Rtz, Some(255), None),
        (of(511, 2), RoundingMode::Rne, None, None),
        (of(-1, 2), RoundingMode::Rtz, Some(0), Some(0)),
        (of(-1, 2), RoundingMode::Rne, Some(0), Some(0)),
        (of(-1, 2), RoundingMode::Rna, None, Some(-1)),
        (of(-128, 1), RoundingMode::Rtz, None, Some(-128)),
        (of(-257, 2), RoundingMode::Rtz, None, Some(-128)),
        (of(-257, 2), RoundingMode::Rtn, None, None),
        (of(127, 1), RoundingMode::Rtz, Some(127), Some(127)),
        (of(128, 1), RoundingMode::Rtz, Some(128), None),
    ] {
        let ubv = x.to_ubv(8, mode).ok().map(|bits| bits.unsigned().clone());
        assert_eq!(
            ubv,
            unsigned.map(|n: u32| Natural::from(n)),
            "{x:?} {mode:?}"
        );
        let sbv = x.to_sbv(8, mode).ok().map(|bits| bits.signed());
        assert_eq!(sbv, signed.map(|n: i32| Int::from(n)), "{x:?} {mode:?}");
    }
}

#[test]
fn huge_exponents_cost_nothing() {
    let f = Format::new(60, 5).unwrap();
    let one = Float::from_int(f, RoundingMode::Rne, &Int::ONE);
    let largest = Float::largest(f, false);
    let smallest = bits(f, 1);
    for mode in MODES {
        assert_eq!(
            largest.add(mode, &smallest).is_infinite(),
            mode == RoundingMode::Rtp
        );
        assert_eq!(
            smallest.mul(mode, &smallest).is_zero(),
            mode != RoundingMode::Rtp
        );
        assert!(!largest.div(mode, &smallest).is_nan());
        assert!(largest.sqrt(mode).is_normal());
        assert!(largest.fma(mode, &largest, &smallest).is_positive());
    }
    assert_eq!(largest.rem(&smallest), Float::zero(f, false));
    assert!(!largest.rem(&one.add(RoundingMode::Rne, &one)).is_nan());
    assert!(largest.to_real().is_err() && smallest.to_real().is_err());
    assert!(largest.to_ubv(64, RoundingMode::Rtz).is_err());
    assert_eq!(
        smallest
            .to_ubv(64, RoundingMode::Rtz)
            .map(|b| b.unsigned().is_zero()),
        Ok(true)
    );
    assert_eq!(smallest.round_to_integral(RoundingMode::Rtp), one);
    for (eb, sb) in [(61, 5), (5, u32::MAX), (1, 5), (5, 1), (u32::MAX, u32::MAX)] {
        assert!(Format::new(eb, sb).is_err());
    }
}
