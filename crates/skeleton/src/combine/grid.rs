//! Polynomials in several variables, by their values on a grid.
//!
//! A table over a grid stands for a polynomial whose degree along each axis
//! is at most the grid's length there, or is only ever asked for at points of
//! the grid. So a small grid is enough: further values follow from those that
//! are there by differences, with additions alone. That is [`extended`]; the
//! same step for weights, read backwards, is [`narrowed`].

use dashu_int::IBig;
use lydite_core::BigUint;

/// All points with coordinate *i* from 0 to `most[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    most: Vec<usize>,
    strides: Vec<usize>,
    cells: usize,
}

impl Grid {
    /// `None` if it has more than `limit` points.
    pub(super) fn new(most: Vec<usize>, limit: usize) -> Option<Grid> {
        let mut strides = Vec::with_capacity(most.len());
        let mut cells = 1usize;
        for &most in &most {
            strides.push(cells);
            cells = cells.checked_mul(most + 1).filter(|&all| all <= limit)?;
        }
        Some(Grid {
            most,
            strides,
            cells,
        })
    }

    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// The largest coordinate on `axis`.
    pub(super) fn most(&self, axis: usize) -> usize {
        self.most[axis]
    }

    /// How far the index of a point moves with its coordinate on `axis`.
    pub(super) fn stride(&self, axis: usize) -> usize {
        self.strides[axis]
    }

    /// The same with another length along one axis.
    pub(super) fn with(&self, axis: usize, most: usize) -> Grid {
        let mut all = self.most.clone();
        all[axis] = most;
        Grid::new(all, usize::MAX).expect("no limit")
    }

    /// The coordinates of a point.
    pub(super) fn read(&self, cell: usize, point: &mut Vec<usize>) {
        point.clear();
        let coordinate = |(&most, &stride): (&usize, &usize)| cell / stride % (most + 1);
        point.extend(self.most.iter().zip(&self.strides).map(coordinate));
    }

    pub(super) fn index(&self, point: &[usize]) -> usize {
        point
            .iter()
            .zip(&self.strides)
            .map(|(at, stride)| at * stride)
            .sum()
    }

    /// The first cells of all lines along `axis`.
    fn lines(&self, axis: usize) -> impl Iterator<Item = usize> {
        let stride = self.strides[axis];
        let block = stride * (self.most[axis] + 1);
        let blocks = (0..self.cells).step_by(block);
        blocks.flat_map(move |start| start..start + stride)
    }
}

/// The values on a grid that is at least as long along every axis.
pub(super) fn extended(cells: &[BigUint], from: &Grid, to: &Grid) -> Vec<BigUint> {
    let (mut cells, mut from) = (cells.to_vec(), from.clone());
    for axis in 0..to.most.len() {
        if from.most[axis] == to.most[axis] {
            continue;
        }
        let longer = from.with(axis, to.most[axis]);
        let mut values = vec![BigUint::ZERO; longer.cells];
        let stride = from.strides[axis];
        for (first, new_first) in from.lines(axis).zip(longer.lines(axis)) {
            let line = (0..=from.most[axis])
                .map(|at| std::mem::take(&mut cells[first + at * stride]))
                .collect();
            for (at, value) in continued(line, longer.most[axis]).into_iter().enumerate() {
                values[new_first + at * stride] = value;
            }
        }
        (cells, from) = (values, longer);
    }
    cells
}

/// A polynomial's values at 0, 1, … `most`, given the first of them. All its
/// differences at natural numbers are natural numbers: it counts.
pub(super) fn continued(mut line: Vec<BigUint>, most: usize) -> Vec<BigUint> {
    let last = line.len() - 1;
    if last >= most {
        return line;
    }
    let mut differences: Vec<BigUint> = line.iter().rev().cloned().collect();
    for order in 1..=last {
        for at in (order..=last).rev() {
            differences[at] = &differences[at - 1] - &differences[at];
        }
    }
    for _ in last..most {
        for at in (0..last).rev() {
            let (lower, higher) = differences.split_at_mut(at + 1);
            lower[at] += &higher[0];
        }
        line.push(differences[0].clone());
    }
    line
}

/// Weights on the smaller grid that give every table there the same sum as
/// these weights give what it is [`extended`] to.
pub(super) fn narrowed(weights: Vec<IBig>, from: &Grid, to: &Grid) -> Vec<IBig> {
    let (mut weights, mut from) = (weights, from.clone());
    for axis in 0..to.most.len() {
        if from.most[axis] == to.most[axis] {
            continue;
        }
        let shorter = from.with(axis, to.most[axis]);
        let mut values = vec![IBig::ZERO; shorter.cells];
        let stride = from.strides[axis];
        for (first, new_first) in from.lines(axis).zip(shorter.lines(axis)) {
            let line: Vec<IBig> = (0..=from.most[axis])
                .map(|at| std::mem::take(&mut weights[first + at * stride]))
                .collect();
            for (at, value) in gathered(line, to.most[axis]).into_iter().enumerate() {
                values[new_first + at * stride] = value;
            }
        }
        (weights, from) = (values, shorter);
    }
    weights
}

/// [`continued`] backwards: every step of it transposed, in the opposite
/// order.
fn gathered(mut line: Vec<IBig>, last: usize) -> Vec<IBig> {
    let mut sums = vec![IBig::ZERO; last + 1];
    for weight in line.drain(last + 1..).rev() {
        sums[0] += weight;
        for at in 0..last {
            let (lower, higher) = sums.split_at_mut(at + 1);
            higher[0] += &lower[at];
        }
    }
    for order in (1..=last).rev() {
        for at in order..=last {
            let weight = std::mem::take(&mut sums[at]);
            sums[at - 1] += &weight;
            sums[at] = -weight;
        }
    }
    for (at, sum) in sums.into_iter().enumerate() {
        line[last - at] += sum;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x^3 (y + 2)^2 + x over a grid.
    fn table(grid: &Grid) -> Vec<BigUint> {
        let mut point = Vec::new();
        let value = |cell: usize| {
            grid.read(cell, &mut point);
            let (x, y) = (point[0], point[1]);
            BigUint::from(x.pow(3) * (y + 2).pow(2) + x)
        };
        (0..grid.cells()).map(value).collect()
    }

    #[test]
    fn a_table_goes_on_as_its_polynomial_does() {
        let small = Grid::new(vec![3, 2], 1000).unwrap();
        let large = Grid::new(vec![9, 7], 1000).unwrap();
        assert_eq!(extended(&table(&small), &small, &large), table(&large));
    }

    #[test]
    fn narrowed_weights_give_the_same_sums() {
        let small = Grid::new(vec![3, 2], 1000).unwrap();
        let large = Grid::new(vec![9, 7], 1000).unwrap();
        let weights: Vec<IBig> = (0..large.cells())
            .map(|cell| IBig::from(cell * cell % 37))
            .collect();
        let sum = |weights: &[IBig], table: &[BigUint]| -> IBig {
            let pairs = weights.iter().zip(table);
            pairs.map(|(weight, value)| weight * value).sum()
        };
        let narrow = narrowed(weights.clone(), &large, &small);
        assert_eq!(sum(&narrow, &table(&small)), sum(&weights, &table(&large)));
    }
}
