//! Bit-vectors of any width up to [`MAX_WIDTH`], with all operations of the
//! theory, of the QF_BV extensions and of SMT-LIB 2.7.
//!
//! Invariant: `bits < 2^width`, `1 <= width <= MAX_WIDTH`. Binary operations
//! expect equal widths; the evaluator checks that.

use dashu_int::Sign;
use dashu_int::ops::{BitTest, RemEuclid};

use super::{CannotSay, Int, MAX_WIDTH, Natural};

/// A bit-vector.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BitVec {
    width: u32,
    bits: Natural,
}

/// 2^n
fn power(n: u32) -> Natural {
    Natural::ONE << n as usize
}

impl BitVec {
    /// The value modulo 2^width; refused for width 0 and beyond the bound.
    pub fn new(width: u32, bits: Natural) -> Result<BitVec, CannotSay> {
        if width == 0 {
            return Err(CannotSay::IllTyped("a bit-vector of width 0".to_string()));
        }
        if width > MAX_WIDTH {
            return Err(CannotSay::TooLarge("a bit-vector"));
        }
        Ok(BitVec::wrap(width, bits))
    }

    /// Cuts to the width, which is known to be allowed.
    fn wrap(width: u32, mut bits: Natural) -> BitVec {
        bits.clear_high_bits(width as usize);
        BitVec { width, bits }
    }

    fn with(&self, bits: Natural) -> BitVec {
        BitVec::wrap(self.width, bits)
    }

    /// An integer modulo 2^width: `(_ int_to_bv width)`.
    pub fn from_int(width: u32, int: &Int) -> Result<BitVec, CannotSay> {
        // Checks the width before 2^width is made.
        let zero = BitVec::new(width, Natural::ZERO)?;
        Ok(zero.with(int.rem_euclid(Int::from(power(width)))))
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value.
    pub fn unsigned(&self) -> &Natural {
        &self.bits
    }

    /// The two's complement value.
    pub fn signed(&self) -> Int {
        let unsigned = Int::from(self.bits.clone());
        match self.sign_bit() {
            true => unsigned - Int::from(power(self.width)),
            false => unsigned,
        }
    }

    /// Bit `index`, 0 the lowest; false beyond the width.
    pub fn bit(&self, index: u32) -> bool {
        self.bits.bit(index as usize)
    }

    /// The highest bit.
    pub fn sign_bit(&self) -> bool {
        self.bit(self.width - 1)
    }

    fn ones(width: u32) -> Natural {
        Natural::ones(width as usize)
    }

    /// `(bvnot a)`
    pub fn not(&self) -> BitVec {
        self.with(BitVec::ones(self.width) ^ &self.bits)
    }

    /// `(bvneg a)`
    pub fn neg(&self) -> BitVec {
        self.with(power(self.width) - &self.bits)
    }

    /// `(bvand a b)`
    pub fn and(&self, b: &BitVec) -> BitVec {
        self.with(&self.bits & &b.bits)
    }

    /// `(bvor a b)`
    pub fn or(&self, b: &BitVec) -> BitVec {
        self.with(&self.bits | &b.bits)
    }

    /// `(bvxor a b)`
    pub fn xor(&self, b: &BitVec) -> BitVec {
        self.with(&self.bits ^ &b.bits)
    }

    /// `(bvadd a b)`
    pub fn add(&self, b: &BitVec) -> BitVec {
        self.with(&self.bits + &b.bits)
    }

    /// `(bvsub a b)`
    pub fn sub(&self, b: &BitVec) -> BitVec {
        self.with(power(self.width) + &self.bits - &b.bits)
    }

    /// `(bvmul a b)`
    pub fn mul(&self, b: &BitVec) -> BitVec {
        self.with(&self.bits * &b.bits)
    }

    /// `(bvudiv a b)`: all ones for a zero divisor.
    pub fn udiv(&self, b: &BitVec) -> BitVec {
        match b.bits.is_zero() {
            true => self.with(BitVec::ones(self.width)),
            false => self.with(&self.bits / &b.bits),
        }
    }

    /// `(bvurem a b)`: the dividend for a zero divisor.
    pub fn urem(&self, b: &BitVec) -> BitVec {
        match b.bits.is_zero() {
            true => self.clone(),
            false => self.with(&self.bits % &b.bits),
        }
    }

    fn magnitude(&self) -> BitVec {
        match self.sign_bit() {
            true => self.neg(),
            false => self.clone(),
        }
    }

    /// `(bvsdiv a b)`: truncating, by way of the unsigned division.
    pub fn sdiv(&self, b: &BitVec) -> BitVec {
        let quotient = self.magnitude().udiv(&b.magnitude());
        match self.sign_bit() != b.sign_bit() {
            true => quotient.neg(),
            false => quotient,
        }
    }

    /// `(bvsrem a b)`: the sign of the dividend.
    pub fn srem(&self, b: &BitVec) -> BitVec {
        let rest = self.magnitude().urem(&b.magnitude());
        match self.sign_bit() {
            true => rest.neg(),
            false => rest,
        }
    }

    /// `(bvsmod a b)`: the sign of the divisor.
    pub fn smod(&self, b: &BitVec) -> BitVec {
        let rest = self.magnitude().urem(&b.magnitude());
        match (rest.bits.is_zero(), self.sign_bit(), b.sign_bit()) {
            (true, _, _) | (_, false, false) => rest,
            (_, true, false) => rest.neg().add(b),
            (_, false, true) => rest.add(b),
            (_, true, true) => rest.neg(),
        }
    }

    /// A shift amount, if it is below the width.
    fn amount(&self, b: &BitVec) -> Option<usize> {
        let amount = usize::try_from(&b.bits).ok()?;
        (amount < self.width as usize).then_some(amount)
    }

    /// `(bvshl a b)`
    pub fn shl(&self, b: &BitVec) -> BitVec {
        match self.amount(b) {
            Some(amount) => self.with(&self.bits << amount),
            None => self.with(Natural::ZERO),
        }
    }

    /// `(bvlshr a b)`
    pub fn lshr(&self, b: &BitVec) -> BitVec {
        match self.amount(b) {
            Some(amount) => self.with(&self.bits >> amount),
            None => self.with(Natural::ZERO),
        }
    }

    /// `(bvashr a b)`
    pub fn ashr(&self, b: &BitVec) -> BitVec {
        match self.sign_bit() {
            true => self.not().lshr(b).not(),
            false => self.lshr(b),
        }
    }

    /// `(concat a b)`
    pub fn concat(&self, b: &BitVec) -> Result<BitVec, CannotSay> {
        let width = self.width.saturating_add(b.width);
        if width > MAX_WIDTH {
            return Err(CannotSay::TooLarge("a bit-vector"));
        }
        BitVec::new(width, (&self.bits << b.width as usize) | &b.bits)
    }

    /// `((_ extract high low) a)`
    pub fn extract(&self, high: u32, low: u32) -> Result<BitVec, CannotSay> {
        if high >= self.width || low > high {
            return Err(CannotSay::IllTyped("extract".to_string()));
        }
        BitVec::new(high - low + 1, &self.bits >> low as usize)
    }

    fn extended(&self, by: u32) -> Result<u32, CannotSay> {
        match self.width.saturating_add(by) {
            width if width <= MAX_WIDTH => Ok(width),
            _ => Err(CannotSay::TooLarge("a bit-vector")),
        }
    }

    /// `((_ zero_extend n) a)`
    pub fn zero_extend(&self, by: u32) -> Result<BitVec, CannotSay> {
        BitVec::new(self.extended(by)?, self.bits.clone())
    }

    /// `((_ sign_extend n) a)`
    pub fn sign_extend(&self, by: u32) -> Result<BitVec, CannotSay> {
        let width = self.extended(by)?;
        let high = match self.sign_bit() {
            true => BitVec::ones(by) << self.width as usize,
            false => Natural::ZERO,
        };
        BitVec::new(width, high | &self.bits)
    }

    /// `((_ repeat n) a)`
    pub fn repeat(&self, times: u32) -> Result<BitVec, CannotSay> {
        let width = self.width.saturating_mul(times);
        if times == 0 {
            return Err(CannotSay::IllTyped("repeat".to_string()));
        }
        if width > MAX_WIDTH {
            return Err(CannotSay::TooLarge("a bit-vector"));
        }
        // A geometric series: ones at the multiples of the width.
        let marks = BitVec::ones(width) / BitVec::ones(self.width);
        BitVec::new(width, marks * &self.bits)
    }

    /// `((_ rotate_left n) a)`
    pub fn rotate_left(&self, by: &Natural) -> BitVec {
        let by = by % Natural::from(self.width);
        let by = usize::try_from(&by).expect("below a u32");
        let low = &self.bits >> (self.width as usize - by);
        self.with((&self.bits << by) | low)
    }

    /// `((_ rotate_right n) a)`
    pub fn rotate_right(&self, by: &Natural) -> BitVec {
        let width = Natural::from(self.width);
        self.rotate_left(&(&width - by % &width))
    }

    /// `(bvcomp a b)`
    pub fn comp(&self, b: &BitVec) -> BitVec {
        BitVec::wrap(1, Natural::from(self == b))
    }

    /// `(bvredor a)`
    pub fn redor(&self) -> BitVec {
        BitVec::wrap(1, Natural::from(!self.bits.is_zero()))
    }

    /// `(bvredand a)`
    pub fn redand(&self) -> BitVec {
        BitVec::wrap(1, Natural::from(self.bits == BitVec::ones(self.width)))
    }

    /// `(bvult a b)`
    pub fn ult(&self, b: &BitVec) -> bool {
        self.bits < b.bits
    }

    /// `(bvslt a b)`
    pub fn slt(&self, b: &BitVec) -> bool {
        match (self.sign_bit(), b.sign_bit()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.bits < b.bits,
        }
    }

    /// True if the integer is a value of the signed range of this width.
    fn fits_signed(&self, int: &Int) -> bool {
        let half = Int::from(power(self.width - 1));
        match int.sign() {
            Sign::Negative => -int <= half,
            Sign::Positive => *int < half,
        }
    }

    fn is_least(&self) -> bool {
        self.bits == power(self.width - 1)
    }

    /// `(bvnego a)`
    pub fn nego(&self) -> bool {
        self.is_least()
    }

    /// `(bvuaddo a b)`
    pub fn uaddo(&self, b: &BitVec) -> bool {
        (&self.bits + &b.bits).bit_len() > self.width as usize
    }

    /// `(bvsaddo a b)`
    pub fn saddo(&self, b: &BitVec) -> bool {
        !self.fits_signed(&(self.signed() + b.signed()))
    }

    /// `(bvumulo a b)`
    pub fn umulo(&self, b: &BitVec) -> bool {
        (&self.bits * &b.bits).bit_len() > self.width as usize
    }

    /// `(bvsmulo a b)`
    pub fn smulo(&self, b: &BitVec) -> bool {
        !self.fits_signed(&(self.signed() * b.signed()))
    }

    /// True if the signed product is above the range.
    pub fn smul_above(&self, b: &BitVec) -> bool {
        self.sign_bit() == b.sign_bit() && self.smulo(b)
    }

    /// True if the signed product is below the range.
    pub fn smul_below(&self, b: &BitVec) -> bool {
        self.sign_bit() != b.sign_bit() && self.smulo(b)
    }

    /// `(bvusubo a b)`
    pub fn usubo(&self, b: &BitVec) -> bool {
        self.bits < b.bits
    }

    /// `(bvssubo a b)`
    pub fn ssubo(&self, b: &BitVec) -> bool {
        !self.fits_signed(&(self.signed() - b.signed()))
    }

    /// `(bvsdivo a b)`
    pub fn sdivo(&self, b: &BitVec) -> bool {
        self.is_least() && b.bits == BitVec::ones(b.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 4;

    fn bv(width: u32, bits: i64) -> BitVec {
        BitVec::from_int(width, &Int::from(bits)).unwrap()
    }

    fn signed(bits: i64) -> i64 {
        if bits >= 8 { bits - 16 } else { bits }
    }

    /// The definitions of the standard on machine integers of 4 bits.
    type Binary = (
        &'static str,
        fn(&BitVec, &BitVec) -> BitVec,
        fn(i64, i64) -> i64,
    );

    const BINARY: &[Binary] = &[
        ("and", BitVec::and, |a, b| a & b),
        ("or", BitVec::or, |a, b| a | b),
        ("xor", BitVec::xor, |a, b| a ^ b),
        ("add", BitVec::add, |a, b| a + b),
        ("sub", BitVec::sub, |a, b| a - b),
        ("mul", BitVec::mul, |a, b| a * b),
        ("udiv", BitVec::udiv, |a, b| if b == 0 { 15 } else { a / b }),
        ("urem", BitVec::urem, |a, b| if b == 0 { a } else { a % b }),
        ("sdiv", BitVec::sdiv, |a, b| match (signed(a), signed(b)) {
            (a, 0) => {
                if a < 0 {
                    1
                } else {
                    -1
                }
            }
            (a, b) => a / b,
        }),
        ("srem", BitVec::srem, |a, b| match (signed(a), signed(b)) {
            (a, 0) => a,
            (a, b) => a % b,
        }),
        ("smod", BitVec::smod, |a, b| match (signed(a), signed(b)) {
            (a, 0) => a,
            (a, b) => a - b * a.div_euclid(b) + if b < 0 && a.rem_euclid(b) != 0 { b } else { 0 },
        }),
        ("shl", BitVec::shl, |a, b| a << b),
        ("lshr", BitVec::lshr, |a, b| a >> b),
        ("ashr", BitVec::ashr, |a, b| signed(a) >> b),
    ];

    type Predicate = (
        &'static str,
        fn(&BitVec, &BitVec) -> bool,
        fn(i64, i64) -> bool,
    );

    fn out(n: i64) -> bool {
        !(-8..8).contains(&n)
    }

    const PREDICATES: &[Predicate] = &[
        ("ult", BitVec::ult, |a, b| a < b),
        ("slt", BitVec::slt, |a, b| signed(a) < signed(b)),
        ("uaddo", BitVec::uaddo, |a, b| a + b > 15),
        ("saddo", BitVec::saddo, |a, b| out(signed(a) + signed(b))),
        ("umulo", BitVec::umulo, |a, b| a * b > 15),
        ("smulo", BitVec::smulo, |a, b| out(signed(a) * signed(b))),
        ("smul_above", BitVec::smul_above, |a, b| {
            signed(a) * signed(b) > 7
        }),
        ("smul_below", BitVec::smul_below, |a, b| {
            signed(a) * signed(b) < -8
        }),
        ("usubo", BitVec::usubo, |a, b| a < b),
        ("ssubo", BitVec::ssubo, |a, b| out(signed(a) - signed(b))),
        ("sdivo", BitVec::sdivo, |a, b| {
            signed(a) == -8 && signed(b) == -1
        }),
    ];

    #[test]
    fn every_operation_on_four_bits_is_its_definition() {
        for a in 0..16 {
            for b in 0..16 {
                let (x, y) = (bv(WIDTH, a), bv(WIDTH, b));
                for (name, ours, naive) in BINARY {
                    assert_eq!(ours(&x, &y), bv(WIDTH, naive(a, b)), "{name} {a} {b}");
                }
                for (name, ours, naive) in PREDICATES {
                    assert_eq!(ours(&x, &y), naive(a, b), "{name} {a} {b}");
                }
                assert_eq!(x.concat(&y).unwrap(), bv(8, a * 16 + b));
                assert_eq!(x.comp(&y), bv(1, i64::from(a == b)));
                let left = (a << (b % 4)) | (a >> (4 - b % 4));
                assert_eq!(
                    x.rotate_left(&Natural::from(b as u8)),
                    bv(4, left),
                    "{a} {b}"
                );
                let right = (a >> (b % 4)) | (a << (4 - b % 4));
                assert_eq!(
                    x.rotate_right(&Natural::from(b as u8)),
                    bv(4, right),
                    "{a} {b}"
                );
            }
            let x = bv(WIDTH, a);
            assert_eq!(x.not(), bv(4, 15 - a));
            assert_eq!(x.neg(), bv(4, -a));
            assert_eq!(x.signed(), Int::from(signed(a)));
            assert_eq!(x.nego(), a == 8);
            assert_eq!(x.redor(), bv(1, i64::from(a != 0)));
            assert_eq!(x.redand(), bv(1, i64::from(a == 15)));
            assert_eq!(x.zero_extend(3).unwrap(), bv(7, a));
            assert_eq!(x.sign_extend(3).unwrap(), bv(7, signed(a)));
            assert_eq!(x.repeat(3).unwrap(), bv(12, a * 273));
            for high in 0..4u32 {
                for low in 0..=high {
                    let cut = bv(high - low + 1, a >> low);
                    assert_eq!(x.extract(high, low).unwrap(), cut);
                }
            }
        }
    }

    #[test]
    fn hostile_widths_are_refused() {
        assert!(BitVec::new(0, Natural::ONE).is_err());
        assert!(BitVec::new(u32::MAX, Natural::ONE).is_err());
        let x = bv(8, 1);
        assert!(x.repeat(u32::MAX).is_err());
        assert!(x.repeat(0).is_err());
        assert!(x.zero_extend(u32::MAX).is_err());
        assert!(x.sign_extend(MAX_WIDTH).is_err());
        assert!(x.extract(8, 0).is_err());
        assert!(x.extract(0, 1).is_err());
        let widest = BitVec::new(MAX_WIDTH, Natural::ONE).unwrap();
        assert!(widest.concat(&x).is_err());
        let huge = Natural::ONE << 300;
        assert_eq!(x.rotate_left(&huge), x);
        assert_eq!(BitVec::from_int(8, &-Int::from(huge)).unwrap(), bv(8, 0));
    }

    #[test]
    fn wide_vectors_shift_by_more_than_a_machine_word() {
        let x = BitVec::new(200, Natural::ONE << 199).unwrap();
        let far = BitVec::new(200, Natural::ONE << 190).unwrap();
        assert_eq!(x.lshr(&far), BitVec::new(200, Natural::ZERO).unwrap());
        assert_eq!(x.ashr(&far), BitVec::new(200, Natural::ones(200)).unwrap());
        assert_eq!(x.shl(&far), BitVec::new(200, Natural::ZERO).unwrap());
    }
}
