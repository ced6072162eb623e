//! The paper's own count (algorithm 1 and example 6), for comparison.

use dashu_int::IBig;
use lydite_core::BigUint;

use super::renamings::Renamings;
use super::shape::Shape;

/// What algorithm 1 gives for a function: the root's class holds the paper's
/// global variables, every other region is a local scope. Labels are ignored.
///
/// It departs from the number of patterns on purpose. Once a hole of a local
/// scope keeps a local variable, the paper partitions the global holes into
/// *exactly* as many blocks as there are global variables (PARTITIONS', line
/// 13 of PartitionScope), not into at most as many: figure 7 gives
/// 16 + 2·7 + 6 = 36, where the number of patterns, and of orbits under
/// renaming, is 16 + 2·8 + 8 = 40. The pseudo-code taken literally gives
/// neither; this is example 6. Like the paper, it takes S2(n, k) for k > n as
/// S2(n, n) = 1.
pub fn paper_count(shape: &Shape) -> BigUint {
    let holes = shape.holes().len();
    let globals = shape.regions()[0].size;
    let local_ways = local_ways(shape);
    // local_ways is a polynomial in the number of global variables if these
    // are told apart; its coefficient of degree r counts the fillings of the
    // local classes that leave r holes to the global ones.
    let by_global_holes = coefficients(local_ways);
    let stirling = stirling(holes);
    let mut sum: BigUint = stirling[holes]
        .iter()
        .skip(usize::from(holes > 0))
        .take(globals + usize::from(holes == 0))
        .sum();
    for (global_holes, ways) in by_global_holes.iter().enumerate().take(holes) {
        let blocks = match globals > global_holes {
            true => BigUint::ONE,
            false => stirling[global_holes][globals].clone(),
        };
        sum += ways * blocks;
    }
    sum
}

/// The patterns of everything but the root's class if the root's variables
/// were 0, 1, … as many as holes, all told apart.
fn local_ways(shape: &Shape) -> Vec<BigUint> {
    let regions = shape.regions();
    let largest = regions.iter().map(|region| region.size).max().unwrap_or(0);
    let renamings = Renamings::new(largest);
    let locals: usize = regions.iter().skip(1).map(|region| region.size).sum();
    let points = shape.holes().len() + 1 + locals;
    let mut own = vec![0usize; regions.len()];
    for hole in shape.holes() {
        own[hole.region] += 1;
    }
    let mut ways: Vec<Vec<BigUint>> = vec![vec![BigUint::ONE; points]; regions.len()];
    for number in (0..regions.len()).rev() {
        for (seen, ways) in ways[number].iter_mut().enumerate() {
            *ways *= BigUint::from(seen).pow(own[number]);
        }
        let Some(parent) = regions[number].parent else {
            continue;
        };
        let within = std::mem::take(&mut ways[number]);
        let size = regions[number].size;
        for seen in 0..points.saturating_sub(size) {
            let weights = renamings.in_place(size).iter().enumerate();
            let sum: BigUint = weights
                .map(|(kept, weight)| weight * &within[seen + kept])
                .sum();
            ways[parent][seen] *= sum / renamings.all(size);
        }
    }
    let mut root = std::mem::take(&mut ways[0]);
    root.truncate(shape.holes().len() + 1);
    root
}

/// The coefficients of the polynomial with these values at 0, 1, 2, …
/// (Newton's forward differences), all of them natural numbers here.
fn coefficients(values: Vec<BigUint>) -> Vec<BigUint> {
    let mut differences: Vec<IBig> = values.into_iter().map(IBig::from).collect();
    let degree = differences.len() - 1;
    let mut factorial = IBig::ONE;
    for order in 1..=degree {
        for i in (order..=degree).rev() {
            differences[i] = &differences[i] - &differences[i - 1];
        }
    }
    let mut powers: Vec<IBig> = vec![IBig::ZERO; degree + 1];
    // Horner's scheme over (x - i), with the differences over i!.
    let mut scaled = Vec::with_capacity(degree + 1);
    for (i, difference) in differences.into_iter().enumerate() {
        if i > 0 {
            factorial *= IBig::from(i);
        }
        scaled.push(difference / &factorial);
    }
    for (i, difference) in scaled.iter().enumerate().rev() {
        for power in (0..=degree).rev() {
            let lower = if power == 0 {
                IBig::ZERO
            } else {
                powers[power - 1].clone()
            };
            powers[power] = lower - &powers[power] * IBig::from(i);
        }
        powers[0] += difference;
    }
    let natural = |power: IBig| BigUint::try_from(power).expect("a number of fillings");
    powers.into_iter().map(natural).collect()
}

/// `rows[n][k]`: the ways to split n things into k non-empty blocks.
fn stirling(most: usize) -> Vec<Vec<BigUint>> {
    let mut rows = vec![vec![BigUint::ONE]];
    for n in 1..=most {
        let before = &rows[n - 1];
        let mut row = vec![BigUint::ZERO; n + 1];
        for k in 1..=n {
            row[k] = before[k - 1].clone();
            if k < n {
                row[k] += &before[k] * BigUint::from(k);
            }
        }
        rows.push(row);
    }
    rows
}
