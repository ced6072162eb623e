//! Counting the patterns of one shape, from any beginning.
//!
//! Holes are taken region by region, a region's own before those of the
//! regions inside it. What has been filled matters for the rest only through
//! the number of variables of each class that have been used; used ones are
//! told apart, unused ones are still interchangeable.

use lydite_core::BigUint;

use super::grid::Grid;
use super::renamings::Renamings;
use super::shape::{Labels, Shape};

/// Counting would take more memory than it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many kinds of variables that holes tell apart")]
pub struct TooWide;

/// The most bytes that the tables of a shape may have, roughly.
const MOST_BYTES: usize = 256 << 20;

/// A place on the way from the root to a region.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub region: usize,
    /// How many variables of its class have been used.
    pub used: usize,
    /// The regions inside it from this one on (in their order) are untouched.
    pub next_child: usize,
}

/// See the module's documentation.
pub(super) struct Table {
    renamings: Renamings,
    /// The axis of each label: labels that every hole treats alike share one.
    axes: Vec<usize>,
    nodes: Vec<Node>,
}

struct Node {
    /// How many variables may change places; none of a class of one, since
    /// that is always in place.
    size: usize,
    /// How many variables in sight are always in place, by axis.
    fixed: Vec<usize>,
    axis: usize,
    children: Vec<usize>,
    /// The numbers of variables in place above the region, and with it.
    above: Grid,
    within: Grid,
    /// `untouched[i]`: the ways to fill all holes of the children from number
    /// *i* on, by what is in place; without the last, which is all ones.
    untouched: Vec<Vec<BigUint>>,
}

/// How often each set of axes is asked for.
pub(super) type Demand = Vec<(Labels, usize)>;

impl Table {
    pub(super) fn new(shape: &Shape) -> Result<Table, TooWide> {
        let (axes, axis_count) = axes(shape);
        let largest = shape.regions().iter().map(|region| region.size).max();
        let mut table = Table {
            renamings: Renamings::new(largest.unwrap_or(0)),
            axes,
            nodes: Vec::with_capacity(shape.regions().len()),
        };
        let wanted = wanted_regions(shape);
        let mut totals: Vec<Vec<usize>> = Vec::new();
        let mut all_fixed: Vec<Vec<usize>> = Vec::new();
        let cell_bytes = 40 + shape.holes().len();
        let mut left = MOST_BYTES / cell_bytes;
        for (number, region) in shape.regions().iter().enumerate() {
            let axis = table.axes[usize::from(region.label)];
            let above = region
                .parent
                .map_or(vec![0; axis_count], |parent| totals[parent].clone());
            let mut fixed = region
                .parent
                .map_or(vec![0; axis_count], |parent| all_fixed[parent].clone());
            let known = wanted[number] && axis < axis_count;
            let size = if known && region.size > 1 {
                region.size
            } else {
                0
            };
            let mut within = above.clone();
            if known {
                within[axis] += size;
                fixed[axis] += region.size - size;
            }
            totals.push(within.clone());
            all_fixed.push(fixed.clone());
            if wanted[number]
                && let Some(parent) = region.parent
            {
                table.nodes[parent].children.push(number);
            }
            let above = Grid::new(above, left).ok_or(TooWide)?;
            let within = Grid::new(within, left).ok_or(TooWide)?;
            if wanted[number] {
                left = left.checked_sub(2 * within.cells()).ok_or(TooWide)?;
            }
            table.nodes.push(Node {
                size,
                fixed,
                axis: axis.min(axis_count.saturating_sub(1)),
                children: Vec::new(),
                above,
                within,
                untouched: Vec::new(),
            });
        }
        table.fill(shape, &wanted);
        Ok(table)
    }

    /// The tables of all regions, innermost first.
    fn fill(&mut self, shape: &Shape, wanted: &[bool]) {
        let mut demands = vec![Demand::new(); self.nodes.len()];
        for hole in shape.holes() {
            demand(&mut demands[hole.region], self.axes_of(hole.labels));
        }
        let mut whole: Vec<Vec<BigUint>> = vec![Vec::new(); self.nodes.len()];
        for number in (0..self.nodes.len()).rev() {
            if !wanted[number] {
                continue;
            }
            let mut cells: Option<Vec<BigUint>> = None;
            let mut untouched = Vec::new();
            for &child in self.nodes[number].children.iter().rev() {
                let of_child = std::mem::take(&mut whole[child]);
                let product = match cells {
                    None => of_child,
                    Some(cells) => times(cells, &of_child),
                };
                untouched.push(product.clone());
                cells = Some(product);
            }
            untouched.reverse();
            self.nodes[number].untouched = untouched;
            let cells = self.own_ways(number, &demands[number]);
            whole[number] = self.fold(number, 0, &cells);
        }
    }

    /// The axes that a set of labels takes.
    pub(super) fn axes_of(&self, labels: Labels) -> Labels {
        let taken = |(label, axis): (usize, &usize)| match labels >> label & 1 == 1 && *axis < 64 {
            true => 1 << axis,
            false => 0,
        };
        self.axes
            .iter()
            .enumerate()
            .map(taken)
            .fold(0, |all, one: u64| all | one)
    }

    /// The ways to go on, given where we are and the ways of the last place's
    /// own holes and of the regions inside it ([`Table::own_ways`]).
    pub(super) fn ways(&self, path: &[Place], own: &[BigUint]) -> BigUint {
        let mut cells: Vec<BigUint> = Vec::new();
        for (depth, place) in path.iter().enumerate().rev() {
            if depth + 1 == path.len() {
                cells = self.fold(place.region, place.used, own);
                continue;
            }
            if let Some(untouched) = self.nodes[place.region].untouched.get(place.next_child) {
                cells = times(cells, untouched);
            }
            cells = self.fold(place.region, place.used, &cells);
        }
        match cells.is_empty() {
            true => BigUint::ONE,
            false => cells.swap_remove(0),
        }
    }

    /// The ways to fill holes of a region that ask for `own`, and all regions
    /// inside it, by what is in place there.
    pub(super) fn own_ways(&self, region: usize, own: &Demand) -> Vec<BigUint> {
        let node = &self.nodes[region];
        let mut point = Vec::new();
        let mut cells = Vec::with_capacity(node.within.cells());
        for cell in 0..node.within.cells() {
            node.within.read(cell, &mut point);
            cells.push(self.own_cell(region, cell, &point, own));
        }
        cells
    }

    fn own_cell(&self, region: usize, cell: usize, point: &[usize], own: &Demand) -> BigUint {
        let node = &self.nodes[region];
        let choices = |axes: Labels| choices(point, axes) + choices(&node.fixed, axes);
        if own.iter().any(|(axes, _)| choices(*axes) == 0) {
            return BigUint::ZERO;
        }
        let mut ways = match node.untouched.first() {
            Some(untouched) => untouched[cell].clone(),
            None => BigUint::ONE,
        };
        for &(axes, times) in own {
            ways *= BigUint::from(choices(axes)).pow(times);
        }
        ways
    }

    /// Takes a hole that asks for `axes` out of the result of
    /// [`Table::own_ways`]; `rest` is what the others ask for.
    pub(super) fn take_out(
        &self,
        region: usize,
        axes: Labels,
        rest: &Demand,
        cells: &mut [BigUint],
    ) {
        let mut point = Vec::new();
        let fixed = choices(&self.nodes[region].fixed, axes);
        for (cell, ways) in cells.iter_mut().enumerate() {
            self.nodes[region].within.read(cell, &mut point);
            match choices(&point, axes) + fixed {
                0 => *ways = self.own_cell(region, cell, &point, rest),
                choices => *ways /= BigUint::from(choices),
            }
        }
    }

    /// Takes the mean over the renamings of the region's unused variables:
    /// from tables by what is in place within the region to what is in place
    /// above it. The division is exact: both sides count patterns.
    fn fold(&self, region: usize, used: usize, within: &[BigUint]) -> Vec<BigUint> {
        let node = &self.nodes[region];
        if node.size == 0 {
            return within.to_vec();
        }
        let unused = node.size - used;
        let stride = node.within.stride(node.axis);
        let weights = self.renamings.in_place(unused);
        let mut point = Vec::new();
        let mean = |cell: usize| {
            node.above.read(cell, &mut point);
            let first = node.within.index(&point) + used * stride;
            let mut sum = BigUint::ZERO;
            for (kept, weight) in weights.iter().enumerate() {
                sum += weight * &within[first + kept * stride];
            }
            sum / self.renamings.all(unused)
        };
        (0..node.above.cells()).map(mean).collect()
    }
}

/// Labels that are taken by the same holes are on one axis; those that no
/// hole takes on none (`usize::MAX`).
fn axes(shape: &Shape) -> (Vec<usize>, usize) {
    let mut sets: Vec<Labels> = shape.holes().iter().map(|hole| hole.labels).collect();
    sets.sort_unstable();
    sets.dedup();
    let takers =
        |label: u8| -> Vec<bool> { sets.iter().map(|set| set >> label & 1 == 1).collect() };
    let mut known: Vec<Vec<bool>> = Vec::new();
    let mut axes = vec![usize::MAX; 64];
    for region in shape.regions().iter().filter(|region| region.size > 0) {
        let takers = takers(region.label);
        if !takers.contains(&true) {
            continue;
        }
        let axis = known
            .iter()
            .position(|other| *other == takers)
            .unwrap_or_else(|| {
                known.push(takers);
                known.len() - 1
            });
        axes[usize::from(region.label)] = axis;
    }
    let count = known.len();
    (axes, count)
}

/// Regions with a hole in them, at any depth.
fn wanted_regions(shape: &Shape) -> Vec<bool> {
    let mut wanted = vec![false; shape.regions().len()];
    wanted[0] = true;
    for hole in shape.holes() {
        wanted[hole.region] = true;
    }
    for (number, region) in shape.regions().iter().enumerate().rev() {
        if wanted[number]
            && let Some(parent) = region.parent
        {
            wanted[parent] = true;
        }
    }
    wanted
}

/// How many of the variables in place are on these axes.
fn choices(point: &[usize], axes: Labels) -> usize {
    let on = |(axis, at): (usize, &usize)| if axes >> axis & 1 == 1 { *at } else { 0 };
    point.iter().enumerate().map(on).sum()
}

/// Adds a hole.
pub(super) fn demand(demand: &mut Demand, axes: Labels) {
    match demand.iter_mut().find(|(known, _)| *known == axes) {
        Some((_, times)) => *times += 1,
        None => demand.push((axes, 1)),
    }
}

fn times(mut left: Vec<BigUint>, right: &[BigUint]) -> Vec<BigUint> {
    for (left, right) in left.iter_mut().zip(right) {
        *left *= right;
    }
    left
}

impl Table {
    /// The regions inside a region that have holes.
    pub(super) fn children(&self, region: usize) -> &[usize] {
        &self.nodes[region].children
    }
}
