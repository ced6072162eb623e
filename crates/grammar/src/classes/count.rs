//! How many classes there are, by Burnside's lemma and Pólya's theorem.
//!
//! The number of classes of one size is the mean, over all renamings, of the
//! number of derivations *up to commutativity* that the renaming leaves as
//! they are. With `F(g, A, s)` that number for renaming `g`, rule `A` and
//! size `s`: a name counts if `g` fixes it; a sequence of symbols is fixed if
//! each of them is; and `m` exchangeable symbols `A` are a multiset, fixed as
//! a whole if `g` permutes it, which gives the complete symmetric series
//!
//! ```text
//! m * h(m) = sum over k = 1..m of p(k) * h(m - k),    p(k)[s] = F(g^k, A, s / k)
//! ```

use std::collections::BTreeMap;

use lydite_core::BigUint;

use super::Classes;
use super::group::{Renamings, renamings};
use crate::Grammar;
use crate::grammar::{Production, RuleId};

/// So many symbols of one rule, exchangeable with one another.
type Factor = (RuleId, usize);

/// A product: its first factor, and the number of the sequence of the others.
type Sequence = (Factor, usize);

/// Sequence number 0: no factors.
const EMPTY: usize = 0;

pub(super) fn count(classes: &Classes, grammar: &Grammar, largest: u32) -> Option<Vec<BigUint>> {
    let mut tally = Tally::new(classes, grammar)?;
    for size in 1..=largest as usize {
        tally.extend(grammar, size);
    }
    let ways: BigUint = tally.kinds.iter().map(|kind| &kind.weight).sum();
    let classes_of = |size: usize| {
        let series = tally.kinds.iter().zip(&tally.series);
        let fixed =
            series.map(|(kind, series)| &kind.weight * &series.rules[grammar.start as usize][size]);
        fixed.sum::<BigUint>() / &ways
    };
    Some((0..=largest as usize).map(classes_of).collect())
}

struct Tally {
    kinds: Vec<Renamings>,
    sequences: Vec<Sequence>,
    /// Each production's sequence, and its class if it is a name.
    productions: Vec<(usize, Option<usize>)>,
    /// One for each kind.
    series: Vec<Series>,
}

/// Numbers by size, for one kind of renaming.
#[derive(Clone)]
struct Series {
    rules: Vec<Vec<BigUint>>,
    /// Those of two symbols or more, and of all smaller numbers of them.
    multisets: BTreeMap<Factor, Vec<BigUint>>,
    sequences: Vec<Vec<BigUint>>,
}

impl Tally {
    fn new(classes: &Classes, grammar: &Grammar) -> Option<Tally> {
        let mut sequences: Vec<Sequence> = vec![((0, 0), EMPTY)];
        let mut known: BTreeMap<Sequence, usize> = BTreeMap::new();
        let mut multisets: BTreeMap<Factor, Vec<BigUint>> = BTreeMap::new();
        let mut productions = Vec::new();
        for (id, production) in grammar.productions.iter().enumerate() {
            let factors = factors(production, classes.unique.commutativity);
            let sequence = factors.into_iter().fold(EMPTY, |rest, (rule, symbols)| {
                for fewer in 2..=symbols {
                    multisets.insert((rule, fewer), vec![BigUint::ZERO]);
                }
                *known.entry(((rule, symbols), rest)).or_insert_with(|| {
                    sequences.push(((rule, symbols), rest));
                    sequences.len() - 1
                })
            });
            let is_name = |names: &Vec<u32>| names.binary_search(&(id as u32)).is_ok();
            productions.push((sequence, classes.names.iter().position(is_name)));
        }
        let sizes: Vec<usize> = classes.names.iter().map(Vec::len).collect();
        let highest = multisets.keys().map(|(_, symbols)| *symbols).max();
        let kinds = renamings(&sizes, highest.unwrap_or(1))?;
        let mut series = Series {
            rules: vec![vec![BigUint::ZERO]; grammar.rules.len()],
            multisets,
            sequences: vec![vec![BigUint::ZERO]; sequences.len()],
        };
        series.sequences[EMPTY] = vec![BigUint::ONE];
        Some(Tally {
            series: vec![series; kinds.len()],
            kinds,
            sequences,
            productions,
        })
    }

    /// Counts `size`, the next one.
    fn extend(&mut self, grammar: &Grammar, size: usize) {
        for (kind, series) in self.kinds.iter().zip(&mut self.series) {
            for (number, rule) in grammar.rules.iter().enumerate() {
                let mut sum = BigUint::ZERO;
                // A class of names counts once, as often as names are fixed.
                let mut counted: Vec<usize> = Vec::new();
                for production in rule.productions.clone() {
                    match self.productions[production as usize] {
                        (sequence, None) => sum += &series.sequences[sequence][size - 1],
                        (_, Some(class)) if size == 1 && !counted.contains(&class) => {
                            counted.push(class);
                            sum += BigUint::from(kind.fixed[class]);
                        }
                        _ => {}
                    }
                }
                series.rules[number].push(sum);
            }
        }
        for kind in 0..self.kinds.len() {
            let multisets: Vec<Factor> = self.series[kind].multisets.keys().copied().collect();
            // In ascending order, so smaller ones are there already.
            for factor in multisets {
                let next = self.multiset(kind, factor, size);
                let series = self.series[kind].multisets.get_mut(&factor);
                series.expect("a key of its own").push(next);
            }
            let series = &mut self.series[kind];
            series.sequences[EMPTY].push(BigUint::ZERO);
            for number in 1..self.sequences.len() {
                let ((rule, symbols), rest) = self.sequences[number];
                let first = match symbols {
                    1 => &series.rules[rule as usize],
                    _ => &series.multisets[&(rule, symbols)],
                };
                let next = (1..=size).fold(BigUint::ZERO, |sum, i| {
                    sum + &first[i] * &series.sequences[rest][size - i]
                });
                series.sequences[number].push(next);
            }
        }
    }

    /// The number of multisets of `symbols` derivations of `rule` that
    /// renamings of this kind leave as they are.
    fn multiset(&self, kind: usize, (rule, symbols): Factor, size: usize) -> BigUint {
        let mut sum = BigUint::ZERO;
        for k in 1..=symbols {
            let power = &self.series[self.kinds[kind].powers[k - 1]].rules[rule as usize];
            for part in (1..=size / k).filter(|part| power[*part] != BigUint::ZERO) {
                let rest = size - part * k;
                match symbols - k {
                    0 if rest == 0 => sum += &power[part],
                    0 => {}
                    1 => sum += &power[part] * &self.series[kind].rules[rule as usize][rest],
                    m if rest < size => {
                        sum += &power[part] * &self.series[kind].multisets[&(rule, m)][rest];
                    }
                    _ => {}
                }
            }
        }
        sum / BigUint::from(symbols)
    }
}

/// Symbols of a commutative production that name the same rule are one
/// factor; other symbols are one each.
fn factors(production: &Production, commutativity: bool) -> Vec<Factor> {
    if !(commutativity && production.commutative) {
        return production.symbols.iter().map(|&rule| (rule, 1)).collect();
    }
    let mut factors: BTreeMap<RuleId, usize> = BTreeMap::new();
    for &symbol in &production.symbols {
        *factors.entry(symbol).or_default() += 1;
    }
    factors.into_iter().collect()
}
