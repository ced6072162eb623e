//! Ways to rename, grouped by what they leave as it is.

use lydite_core::BigUint;

/// Renamings that fix equally many derivations, and so do their powers.
#[derive(Clone, Debug)]
pub(super) struct Renamings {
    /// How many there are.
    pub weight: BigUint,
    /// How many names of each class they leave as they are.
    pub fixed: Vec<usize>,
    /// Which renamings they become if done `k` times, for `k` from 1 on.
    pub powers: Vec<usize>,
}

/// The most kinds of renamings that are counted with.
const MAX_KINDS: usize = 4096;

/// Kinds of renamings of classes of these sizes, with powers up to `highest`;
/// `None` if there are too many.
pub(super) fn renamings(classes: &[usize], highest: usize) -> Option<Vec<Renamings>> {
    match highest {
        0 | 1 => by_fixed(classes),
        _ => by_cycles(classes, highest),
    }
}

/// Where powers do not matter: by the number of fixed names alone.
fn by_fixed(classes: &[usize]) -> Option<Vec<Renamings>> {
    let kinds = classes
        .iter()
        .try_fold(1usize, |kinds, n| kinds.checked_mul(n + 1))?;
    if kinds > MAX_KINDS {
        return None;
    }
    let mut all = vec![(BigUint::ONE, Vec::new())];
    for &n in classes {
        let deranged = derangements(n);
        let choices = binomials(n);
        let extend = |(weight, fixed): (BigUint, Vec<usize>)| {
            let with = |k: usize| {
                let mut fixed = fixed.clone();
                fixed.push(k);
                (&weight * &choices[k] * &deranged[n - k], fixed)
            };
            (0..=n).map(with).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    let kind = |(number, (weight, fixed))| Renamings {
        weight,
        fixed,
        powers: vec![number],
    };
    Some(all.into_iter().enumerate().map(kind).collect())
}

/// By the lengths of their cycles.
fn by_cycles(classes: &[usize], highest: usize) -> Option<Vec<Renamings>> {
    let mut all: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for &n in classes {
        let partitions = partitions(n, MAX_KINDS)?;
        if all.len() * partitions.len() > MAX_KINDS {
            return None;
        }
        let extend = |types: Vec<Vec<usize>>| {
            let with = |partition: &Vec<usize>| {
                let mut types = types.clone();
                types.push(partition.clone());
                types
            };
            partitions.iter().map(with).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all.sort();
    let kind = |types: &Vec<Vec<usize>>| Renamings {
        weight: types.iter().map(|cycles| conjugates(cycles)).product(),
        fixed: types
            .iter()
            .map(|cycles| cycles.iter().filter(|len| **len == 1).count())
            .collect(),
        powers: (1..=highest)
            .map(|k| {
                let power: Vec<Vec<usize>> = types.iter().map(|c| power(c, k)).collect();
                all.binary_search(&power)
                    .expect("all cycle types are there")
            })
            .collect(),
    };
    Some(all.iter().map(kind).collect())
}

/// How many permutations have these cycles.
fn conjugates(cycles: &[usize]) -> BigUint {
    let n: usize = cycles.iter().sum();
    let mut divisor = BigUint::ONE;
    for (i, &len) in cycles.iter().enumerate() {
        let alike = cycles[..=i].iter().filter(|other| **other == len).count();
        divisor *= BigUint::from(len * alike);
    }
    factorial(n) / divisor
}

/// The cycles of a permutation done `k` times, largest first.
fn power(cycles: &[usize], k: usize) -> Vec<usize> {
    let parts = cycles.iter().flat_map(|&len| {
        let pieces = gcd(len, k);
        std::iter::repeat_n(len / pieces, pieces)
    });
    let mut parts: Vec<usize> = parts.collect();
    parts.sort_unstable_by(|a, b| b.cmp(a));
    parts
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn factorial(n: usize) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

/// The partitions of `n`, largest part first; `None` if more than `limit`.
fn partitions(n: usize, limit: usize) -> Option<Vec<Vec<usize>>> {
    let mut done = Vec::new();
    let mut open = vec![(n, n, Vec::new())];
    while let Some((rest, largest, parts)) = open.pop() {
        if rest == 0 {
            done.push(parts);
            if done.len() > limit {
                return None;
            }
            continue;
        }
        for part in 1..=rest.min(largest) {
            let mut parts: Vec<usize> = parts.clone();
            parts.push(part);
            open.push((rest - part, part, parts));
        }
    }
    Some(done)
}

/// How many permutations of 0, 1, … `n` things leave nothing in its place.
fn derangements(n: usize) -> Vec<BigUint> {
    let mut all = vec![BigUint::ONE, BigUint::ZERO];
    for i in 2..=n {
        let next = BigUint::from(i - 1) * (&all[i - 1] + &all[i - 2]);
        all.push(next);
    }
    all
}

fn binomials(n: usize) -> Vec<BigUint> {
    let mut row = vec![BigUint::ONE];
    for k in 0..n {
        let next = &row[k] * BigUint::from(n - k) / BigUint::from(k + 1);
        row.push(next);
    }
    row
}
