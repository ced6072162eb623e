//! Real algebraic numbers, as solvers print them in models of nonlinear
//! arithmetic: roots of polynomials, and polynomials in such roots.
//!
//! A number is a polynomial with rational coefficients in finitely many
//! roots, each power below the degree of its root. Its sign is zero if that
//! polynomial is; otherwise intervals around the roots are narrowed until the
//! sign shows, or until the number is smaller than any such number can be
//! that is not zero ([`super::separation`]). Where that would take too many
//! digits, nothing is said: never a wrong sign.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{CannotSay, Int, Natural, Rational, number, separation};

/// The largest degree of a root's polynomial.
const MAX_DEGREE: usize = 32;
/// The most terms of a number.
const MAX_TERMS: usize = 256;
/// How often intervals are halved to find a root.
const MAX_HALVINGS: usize = 256;
/// How many digits a sign is looked for at the least.
const SIGN_BITS: usize = 256;

/// A polynomial in one variable, the constant first, no leading zero.
pub(super) type Polynomial = Vec<Rational>;

/// A root: of a square-free polynomial, alone in an interval with rational
/// ends that are no roots, or with both ends the root itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Root {
    pub(super) polynomial: Polynomial,
    pub(super) low: Rational,
    pub(super) high: Rational,
}

/// Powers of roots.
pub(super) type Monomial = Vec<(Arc<Root>, u32)>;

/// A number: a sum of monomials with coefficients that are not zero.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Algebraic {
    terms: BTreeMap<Monomial, Rational>,
}

fn too_large<T>() -> Result<T, CannotSay> {
    Err(CannotSay::TooLarge("an algebraic number"))
}

fn trimmed(mut polynomial: Polynomial) -> Polynomial {
    while polynomial.last().is_some_and(Rational::is_zero) {
        polynomial.pop();
    }
    polynomial
}

fn derivative(polynomial: &[Rational]) -> Polynomial {
    let powers = polynomial.iter().enumerate().skip(1);
    trimmed(
        powers
            .map(|(n, c)| c * Rational::from(Int::from(n)))
            .collect(),
    )
}

fn at(polynomial: &[Rational], x: &Rational) -> Rational {
    let step = |sum: Rational, c: &Rational| sum * x + c;
    polynomial.iter().rev().fold(Rational::ZERO, step)
}

/// The remainder of a division by a polynomial that is not zero.
fn remainder(a: &[Rational], b: &[Rational]) -> Polynomial {
    let mut rest = a.to_vec();
    let lead = b.last().expect("not zero");
    while rest.len() >= b.len() {
        let factor = rest.last().expect("not empty") / lead;
        let shift = rest.len() - b.len();
        for (i, c) in b.iter().enumerate() {
            rest[shift + i] = &rest[shift + i] - &factor * c;
        }
        rest.pop();
        rest = trimmed(rest);
    }
    rest
}

/// The exact quotient of a division without remainder.
fn quotient(a: &[Rational], b: &[Rational]) -> Polynomial {
    let mut rest = a.to_vec();
    let mut quotient = vec![Rational::ZERO; (a.len() + 1).saturating_sub(b.len())];
    let lead = b.last().expect("not zero");
    while rest.len() >= b.len() {
        let factor = rest.last().expect("not empty") / lead;
        let shift = rest.len() - b.len();
        for (i, c) in b.iter().enumerate() {
            rest[shift + i] = &rest[shift + i] - &factor * c;
        }
        rest.pop();
        rest = trimmed(rest);
        quotient[shift] = factor;
    }
    quotient
}

/// Sturm's sequence, which counts roots.
fn sturm(polynomial: &[Rational]) -> Vec<Polynomial> {
    let mut sequence = vec![polynomial.to_vec(), derivative(polynomial)];
    while let [.., a, b] = &sequence[..]
        && !b.is_empty()
    {
        let rest = remainder(a, b).into_iter().map(|c| -c).collect();
        sequence.push(rest);
    }
    sequence.pop();
    sequence
}

/// Sign changes of the sequence at a point.
fn changes(sequence: &[Polynomial], x: &Rational) -> usize {
    let signs = sequence
        .iter()
        .map(|p| at(p, x))
        .filter(|value| !value.is_zero());
    let negative: Vec<bool> = signs.map(|value| value < Rational::ZERO).collect();
    negative
        .windows(2)
        .filter(|pair| pair[0] != pair[1])
        .count()
}

fn middle(low: &Rational, high: &Rational) -> Rational {
    (low + high) / Rational::from(Int::from(2))
}

impl Root {
    /// The root number `index`, counted from 1 upwards, of a polynomial with
    /// the constant first.
    pub fn new(polynomial: &[Int], index: usize) -> Result<Root, CannotSay> {
        if polynomial.len() > MAX_DEGREE + 1 {
            return too_large();
        }
        let none = || CannotSay::IllTyped("root-obj".to_string());
        let polynomial: Vec<Rational> = polynomial.iter().cloned().map(Rational::from).collect();
        let polynomial = trimmed(polynomial);
        if polynomial.len() < 2 {
            return Err(none());
        }
        let sequence = sturm(&polynomial);
        // The last of the sequence is the common divisor with the derivative.
        let polynomial = quotient(&polynomial, sequence.last().expect("not empty"));
        let sequence = sturm(&polynomial);
        let lead = polynomial.last().expect("not zero");
        let sizes = polynomial
            .iter()
            .map(|c| (c / lead).ceil().max((-(c / lead)).ceil()));
        let bound = Rational::from(sizes.max().unwrap_or(Int::ZERO) + Int::ONE);
        let (mut low, mut high) = (-bound.clone(), bound);
        let below = |x: &Rational| changes(&sequence, &low_end(&sequence)) - changes(&sequence, x);
        if index == 0 || index > below(&high) {
            return Err(none());
        }
        // Invariant: fewer than `index` roots up to low, at least so many up to high.
        let alone = |low: &Rational, high: &Rational| below(high) - below(low) == 1;
        for _ in 0..MAX_HALVINGS {
            let narrow = &high - &low < Rational::ONE;
            let ends = [&low, &high].map(|end| !at(&polynomial, end).is_zero());
            if narrow && alone(&low, &high) && ends == [true, true] {
                return Ok(Root {
                    polynomial,
                    low,
                    high,
                });
            }
            let half = middle(&low, &high);
            match below(&half) >= index {
                true if at(&polynomial, &half).is_zero() && below(&half) == index => {
                    return Ok(Root {
                        polynomial,
                        low: half.clone(),
                        high: half,
                    });
                }
                true => high = half,
                false => low = half,
            }
        }
        too_large()
    }

    /// The only root of a polynomial between two numbers, ends excluded.
    pub fn between(polynomial: &[Int], low: Rational, high: Rational) -> Result<Root, CannotSay> {
        // Numbers of roots are small: the degree is.
        for index in 1..polynomial.len() {
            let root = Root::new(polynomial, index)?;
            let number = Algebraic::root(root.clone());
            let above = number.add(&Algebraic::rational(-low.clone()))?.sign()?;
            let below = number.add(&Algebraic::rational(-high.clone()))?.sign()?;
            if above == Ordering::Greater && below == Ordering::Less {
                return Ok(root);
            }
        }
        Err(CannotSay::IllTyped("an algebraic number".to_string()))
    }
}

/// A point below all roots.
fn low_end(sequence: &[Polynomial]) -> Rational {
    let polynomial = &sequence[0];
    let lead = polynomial.last().expect("not zero");
    let sizes = polynomial
        .iter()
        .map(|c| (c / lead).ceil().max((-(c / lead)).ceil()));
    -Rational::from(sizes.max().unwrap_or(Int::ZERO) + Int::from(2))
}

impl Algebraic {
    /// The root as a number.
    pub fn root(root: Root) -> Algebraic {
        let monomial = vec![(Arc::new(root), 1)];
        Algebraic {
            terms: BTreeMap::from([(monomial, Rational::ONE)]),
        }
        .reduced_degree_one()
    }

    /// A root of a linear polynomial is rational.
    fn reduced_degree_one(self) -> Algebraic {
        self.mul(&Algebraic::rational(Rational::ONE))
            .unwrap_or(self)
    }

    /// How many conjugates it has at the most: the product of the degrees of
    /// its roots.
    pub fn degree(&self) -> u64 {
        let roots: BTreeSet<&Arc<Root>> =
            self.terms.keys().flatten().map(|(root, _)| root).collect();
        let degrees = roots.iter().map(|root| root.polynomial.len() as u64 - 1);
        degrees.fold(1, u64::saturating_mul)
    }

    /// A rational as a number.
    pub fn rational(rational: Rational) -> Algebraic {
        let mut terms = BTreeMap::new();
        if !rational.is_zero() {
            terms.insert(Vec::new(), rational);
        }
        Algebraic { terms }
    }

    /// The rational that the number is, if that is plain to see.
    pub fn as_rational(&self) -> Option<Rational> {
        match self.terms.iter().next() {
            None => Some(Rational::ZERO),
            Some((monomial, c)) if monomial.is_empty() && self.terms.len() == 1 => Some(c.clone()),
            _ => None,
        }
    }

    fn insert(&mut self, monomial: Monomial, coefficient: Rational) -> Result<(), CannotSay> {
        let sum = match self.terms.remove(&monomial) {
            Some(before) => number::add_real(&before, &coefficient)?,
            None => coefficient,
        };
        if !sum.is_zero() {
            self.terms.insert(monomial, sum);
        }
        match self.terms.len() > MAX_TERMS {
            true => too_large(),
            false => Ok(()),
        }
    }

    /// The sum.
    pub fn add(&self, other: &Algebraic) -> Result<Algebraic, CannotSay> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.terms {
            sum.insert(monomial.clone(), coefficient.clone())?;
        }
        Ok(sum)
    }

    /// The negated number.
    pub fn neg(&self) -> Algebraic {
        let terms = self
            .terms
            .iter()
            .map(|(monomial, c)| (monomial.clone(), -c.clone()));
        Algebraic {
            terms: terms.collect(),
        }
    }

    /// The product.
    pub fn mul(&self, other: &Algebraic) -> Result<Algebraic, CannotSay> {
        let mut product = Algebraic::rational(Rational::ZERO);
        for (a, c) in &self.terms {
            for (b, d) in &other.terms {
                let mut powers: BTreeMap<Arc<Root>, u32> = a.iter().cloned().collect();
                for (root, power) in b {
                    *powers.entry(Arc::clone(root)).or_default() += power;
                }
                product.insert_reduced(powers, number::mul_real(c, d)?)?;
            }
        }
        Ok(product)
    }

    /// Adds a monomial after reducing powers by the roots' polynomials.
    fn insert_reduced(
        &mut self,
        powers: BTreeMap<Arc<Root>, u32>,
        coefficient: Rational,
    ) -> Result<(), CannotSay> {
        let mut work = vec![(powers, coefficient)];
        let mut steps = 0;
        while let Some((mut powers, coefficient)) = work.pop() {
            steps += 1;
            if steps > 16 * MAX_TERMS {
                return too_large();
            }
            let high = powers
                .iter()
                .find(|(root, power)| **power as usize >= root.polynomial.len() - 1)
                .map(|(root, _)| Arc::clone(root));
            let Some(root) = high else {
                let monomial = powers.into_iter().filter(|(_, power)| *power > 0).collect();
                self.insert(monomial, coefficient)?;
                continue;
            };
            let degree = root.polynomial.len() - 1;
            let power = powers.remove(&root).expect("just found") - degree as u32;
            let lead = &root.polynomial[degree];
            for (n, c) in root.polynomial[..degree].iter().enumerate() {
                if !c.is_zero() {
                    let mut lower = powers.clone();
                    lower.insert(Arc::clone(&root), power + n as u32);
                    let factor = number::mul_real(&coefficient, &(-(c / lead)))?;
                    work.push((lower, factor));
                }
            }
        }
        Ok(())
    }

    /// The sign, if it shows.
    pub fn sign(&self) -> Result<Ordering, CannotSay> {
        if let Some(rational) = self.as_rational() {
            return Ok(rational.cmp(&Rational::ZERO));
        }
        let mut roots: BTreeMap<Arc<Root>, Root> = BTreeMap::new();
        for root in self.terms.keys().flatten().map(|(root, _)| root) {
            roots
                .entry(Arc::clone(root))
                .or_insert_with(|| Root::clone(root));
        }
        let zero_bits = separation::zero_bits(&self.terms);
        // The number's interval is a little wider than those of its roots.
        let most = zero_bits.map_or(SIGN_BITS, |bits| 2 * bits + SIGN_BITS);
        let mut bits = 16;
        while bits <= most {
            let (low, high) = self.interval(&roots)?;
            if low > Rational::ZERO {
                return Ok(Ordering::Greater);
            }
            if high < Rational::ZERO {
                return Ok(Ordering::Less);
            }
            if let Some(zero_bits) = zero_bits
                && high - low < separation::power(zero_bits)
            {
                return Ok(Ordering::Equal);
            }
            bits *= 2;
            roots.values_mut().for_each(|root| root.refine(bits));
        }
        Err(CannotSay::Unsupported(
            "the sign of an algebraic number".to_string(),
        ))
    }

    /// An interval around the number.
    fn interval(
        &self,
        roots: &BTreeMap<Arc<Root>, Root>,
    ) -> Result<(Rational, Rational), CannotSay> {
        let mut sum = (Rational::ZERO, Rational::ZERO);
        for (monomial, coefficient) in &self.terms {
            let mut product = (coefficient.clone(), coefficient.clone());
            for (root, power) in monomial {
                let root = &roots[root];
                for _ in 0..*power {
                    product = times(&product, &(root.low.clone(), root.high.clone()))?;
                }
            }
            sum.0 = number::add_real(&sum.0, &product.0)?;
            sum.1 = number::add_real(&sum.1, &product.1)?;
        }
        Ok(sum)
    }
}

/// The product of two intervals.
fn times(
    a: &(Rational, Rational),
    b: &(Rational, Rational),
) -> Result<(Rational, Rational), CannotSay> {
    let mut ends = [
        number::mul_real(&a.0, &b.0)?,
        number::mul_real(&a.0, &b.1)?,
        number::mul_real(&a.1, &b.0)?,
        number::mul_real(&a.1, &b.1)?,
    ];
    ends.sort();
    let [low, _, _, high] = ends;
    Ok((low, high))
}

/// The value as an approximation for people, six digits behind the point.
impl std::fmt::Display for Algebraic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut roots: BTreeMap<Arc<Root>, Root> = BTreeMap::new();
        for root in self.terms.keys().flatten().map(|(root, _)| root) {
            roots
                .entry(Arc::clone(root))
                .or_insert_with(|| Root::clone(root));
        }
        roots.values_mut().for_each(|root| root.refine(64));
        match self.interval(&roots) {
            Ok((low, high)) => {
                let scale = Rational::from(Int::from(1_000_000));
                let millionths = (middle(&low, &high) * scale).round();
                let sign = if millionths < Int::ZERO { "-" } else { "" };
                let (_, size) = millionths.into_parts();
                let million = Natural::from(1_000_000u32);
                write!(
                    f,
                    "{sign}{}.{:0>6}?",
                    &size / &million,
                    (&size % &million).to_string()
                )
            }
            Err(_) => f.write_str("(an algebraic number)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(polynomial: &[i32], index: usize) -> Algebraic {
        let polynomial: Vec<Int> = polynomial.iter().map(|c| Int::from(*c)).collect();
        Algebraic::root(Root::new(&polynomial, index).unwrap())
    }

    fn int(n: i32) -> Algebraic {
        Algebraic::rational(Rational::from(Int::from(n)))
    }

    #[test]
    fn roots_are_the_right_ones() {
        for (polynomial, index, shown) in [
            (&[-2, 0, 1][..], 1, "-1.414214?"),
            (&[-2, 0, 1], 2, "1.414214?"),
            (&[-7, 0, 0, 1], 1, "1.912931?"),
            // (x - 1)^2 (x + 3), with a double root and a root at a midpoint.
            (&[3, -5, 1, 1], 1, "-3.000000?"),
            (&[3, -5, 1, 1], 2, "1.000000?"),
            (&[-1, 2], 1, "0.500000?"),
            (&[0, -1, 0, 1], 2, "0.000000?"),
            (&[24, -50, 35, -10, 1], 3, "3.000000?"),
        ] {
            assert_eq!(root(polynomial, index).to_string(), shown, "{polynomial:?}");
        }
        for (polynomial, index) in [
            (&[1, 0, 1][..], 1),
            (&[-2, 0, 1], 3),
            (&[-2, 0, 1], 0),
            (&[5], 1),
        ] {
            let polynomial: Vec<Int> = polynomial.iter().map(|c| Int::from(*c)).collect();
            assert!(Root::new(&polynomial, index).is_err(), "{polynomial:?}");
        }
    }

    #[test]
    fn signs_are_exact_and_dependent_roots_are_not_guessed() {
        let (two, three) = (root(&[-2, 0, 1], 2), root(&[-3, 0, 1], 2));
        assert_eq!(
            two.mul(&two).unwrap().as_rational(),
            Some(Rational::from(Int::from(2)))
        );
        let difference = three.add(&two.neg()).unwrap();
        assert_eq!(difference.sign(), Ok(Ordering::Greater));
        // sqrt 2 * sqrt 3 against 2 and 3.
        let product = two.mul(&three).unwrap();
        assert_eq!(product.add(&int(-2)).unwrap().sign(), Ok(Ordering::Greater));
        assert_eq!(product.add(&int(-3)).unwrap().sign(), Ok(Ordering::Less));
        assert_eq!(
            product.mul(&product).unwrap().as_rational(),
            Some(Rational::from(Int::from(6)))
        );
        let six = root(&[-6, 0, 1], 2);
        let difference = product.add(&six.neg()).unwrap();
        assert_eq!(difference.sign(), Ok(Ordering::Equal));
        // The golden ratio and its inverse, each with a factor too many.
        let (ratio, inverse) = (root(&[-1, -2, 0, 1], 3), root(&[-1, 0, 2, 1], 3));
        let product = ratio.mul(&inverse).unwrap();
        assert_eq!(product.add(&int(-1)).unwrap().sign(), Ok(Ordering::Equal));
        let sum = ratio.add(&inverse.neg()).unwrap();
        assert_eq!(sum.add(&int(-1)).unwrap().sign(), Ok(Ordering::Equal));
        // The tenth power of sqrt 5 - 2 is small, and not zero.
        let small = root(&[-5, 0, 1], 2).add(&int(-2)).unwrap();
        let tenth = (0..10).try_fold(int(1), |product, _| product.mul(&small));
        assert_eq!(tenth.unwrap().sign(), Ok(Ordering::Greater));
    }

    #[test]
    fn a_sign_that_would_take_too_many_digits_is_not_guessed() {
        let deep = |c: i32| {
            let mut polynomial = vec![0; 30];
            (polynomial[0], polynomial[1], polynomial[29]) = (c, -1, 1);
            root(&polynomial, 1)
        };
        let sum = deep(-3).add(&deep(-5)).and_then(|sum| sum.add(&deep(-7)));
        let sum = sum.unwrap();
        let product = sum.mul(&sum).and_then(|square| square.mul(&sum)).unwrap();
        assert_eq!(product.sign(), Ok(Ordering::Greater));
        assert_eq!(super::separation::zero_bits(&product.terms), None);
    }
}
