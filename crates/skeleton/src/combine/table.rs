//! Counting the patterns of one shape, from any beginning.
//!
//! Holes are taken region by region, a region's own before those of the
//! regions inside it. What has been filled matters for the rest only through
//! the number of variables of each class that have been used; used ones are
//! told apart, unused ones are still interchangeable.
//!
//! The ways to fill a region are a polynomial in the numbers of variables in
//! place above it, of a degree that is at most the number of holes inside. A
//! table has as many values as are needed to know it, so a function of ten
//! holes costs little even where it sees a thousand variables.

use dashu_int::IBig;
use lydite_core::BigUint;

use super::grid::{Grid, extended, narrowed};
use super::renamings::Renamings;
use super::shape::{Labels, Shape};

/// Counting would take more memory or time than it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many holes that see too many variables of different scopes or kinds")]
pub struct TooWide;

/// The most bytes that the tables of a shape may have, roughly.
const MOST_BYTES: usize = 256 << 20;

/// The most that counting may take: steps ([`Table::steps`]) times the words
/// of a number. Some seconds.
const MOST_WORK: u64 = 4_000_000_000;

/// See the module's documentation.
pub(super) struct Table {
    renamings: Renamings,
    /// The axis of each label: labels that every hole treats alike share one.
    axes: Vec<usize>,
    nodes: Vec<Node>,
    steps: u64,
}

struct Node {
    /// How many variables may change places; none of a class of one, since
    /// that is always in place. Variables beyond the number of holes that
    /// could take them are left out: no pattern needs them.
    size: usize,
    /// How many variables in sight are always in place, by axis.
    fixed: Vec<usize>,
    axis: usize,
    /// What its own holes ask for.
    demand: Demand,
    children: Vec<usize>,
    /// The numbers of variables in place above the region, and with it.
    above: Grid,
    within: Grid,
    /// The ways to fill all holes inside, by what is in place above.
    ways: Vec<BigUint>,
    /// The ways of all children, by what is in place within.
    inside: Inside,
}

/// How often each set of axes is asked for.
pub(super) type Demand = Vec<(Labels, usize)>;

/// The ways to fill several regions, as a product that regions can be taken
/// out of again: zeros are counted apart. Nothing at all if there are none.
#[derive(Clone, Default)]
pub(super) struct Inside {
    regions: usize,
    cells: Vec<(BigUint, u32)>,
}

impl Inside {
    fn put_in(&mut self, ways: &[BigUint]) {
        self.regions += 1;
        self.cells.resize(ways.len(), (BigUint::ONE, 0));
        for ((product, zeros), ways) in self.cells.iter_mut().zip(ways) {
            match ways.is_zero() {
                true => *zeros += 1,
                false => *product *= ways,
            }
        }
    }

    fn take_out(&mut self, ways: &[BigUint]) {
        self.regions -= 1;
        if self.regions == 0 {
            self.cells.clear();
        }
        for ((product, zeros), ways) in self.cells.iter_mut().zip(ways) {
            match ways.is_zero() {
                true => *zeros -= 1,
                false => *product /= ways,
            }
        }
    }

    fn at(&self, cell: usize) -> BigUint {
        match self.cells.get(cell) {
            None => BigUint::ONE,
            Some((product, 0)) => product.clone(),
            Some(_) => BigUint::ZERO,
        }
    }
}

/// A sum over a table, as weights over a common denominator.
#[derive(Clone, Debug)]
pub(super) struct Row {
    weights: Vec<IBig>,
    denominator: BigUint,
}

impl Row {
    /// What is above the root: a single cell.
    pub(super) fn of_root() -> Row {
        Row {
            weights: vec![IBig::ONE],
            denominator: BigUint::ONE,
        }
    }

    /// How many weights it has.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The sum; a number of patterns.
    pub(super) fn sum(&self, cells: &[BigUint]) -> BigUint {
        let terms = self.weights.iter().zip(cells);
        let sum: IBig = terms.map(|(weight, value)| weight * value).sum();
        let sum = BigUint::try_from(sum).expect("a number of patterns");
        sum / &self.denominator
    }
}

impl Table {
    pub(super) fn new(shape: &Shape) -> Result<Table, TooWide> {
        let (axes, axis_count) = axes(shape);
        let mut table = Table {
            renamings: Renamings::new(0),
            axes,
            nodes: Vec::with_capacity(shape.regions().len()),
            steps: 0,
        };
        table.lay_out(shape, axis_count)?;
        let largest = table.nodes.iter().map(|node| node.size).max();
        table.renamings = Renamings::new(largest.unwrap_or(0));
        table.steps = table.needed_steps();
        let most: usize = table
            .nodes
            .iter()
            .map(|node| node.widest())
            .max()
            .unwrap_or(1);
        let words = 1 + shape.holes().len() as u64 * u64::from(most.max(2).ilog2() + 1) / 64;
        if table.steps.saturating_mul(words) > MOST_WORK {
            return Err(TooWide);
        }
        table.fill();
        Ok(table)
    }

    /// Nodes with their grids, without any values yet.
    fn lay_out(&mut self, shape: &Shape, axis_count: usize) -> Result<(), TooWide> {
        let takers = self.takers(shape, axis_count);
        let mut totals: Vec<Vec<usize>> = Vec::new();
        let cell_bytes = 40 + shape.holes().len();
        let mut left = MOST_BYTES / cell_bytes;
        for (number, region) in shape.regions().iter().enumerate() {
            let axis = self.axes[usize::from(region.label)];
            let (above, mut fixed) = match region.parent {
                Some(parent) => (totals[parent].clone(), self.nodes[parent].fixed.clone()),
                None => (vec![0; axis_count], vec![0; axis_count]),
            };
            let of_use = match axis < axis_count {
                true => region.size.min(takers[number][axis]),
                false => 0,
            };
            let size = if of_use > 1 { of_use } else { 0 };
            let mut within = above.clone();
            if of_use > 0 {
                within[axis] += size;
                fixed[axis] += of_use - size;
            }
            totals.push(within.clone());
            let wanted = takers[number].iter().any(|&holes| holes > 0);
            if let (true, Some(parent)) = (wanted, region.parent) {
                self.nodes[parent].children.push(number);
            }
            let grid = |most: Vec<usize>, limit: usize| {
                let most = most.iter().zip(&takers[number]);
                Grid::new(most.map(|(all, holes)| *all.min(holes)).collect(), limit)
            };
            let above = grid(above, left).ok_or(TooWide)?;
            let within = grid(within, left).ok_or(TooWide)?;
            left = left.checked_sub(2 * within.cells()).ok_or(TooWide)?;
            self.nodes.push(Node {
                size,
                fixed,
                axis: axis.min(axis_count.saturating_sub(1)),
                demand: Demand::new(),
                children: Vec::new(),
                above,
                within,
                ways: Vec::new(),
                inside: Inside::default(),
            });
        }
        for hole in shape.holes() {
            let axes = self.axes_of(hole.labels);
            demand(&mut self.nodes[hole.region].demand, axes);
        }
        Ok(())
    }

    /// By region and axis: how many holes inside take variables of it.
    fn takers(&self, shape: &Shape, axis_count: usize) -> Vec<Vec<usize>> {
        let mut takers = vec![vec![0; axis_count]; shape.regions().len()];
        for hole in shape.holes() {
            let axes = self.axes_of(hole.labels);
            for (axis, holes) in takers[hole.region].iter_mut().enumerate() {
                *holes += usize::from(axes >> axis & 1 == 1);
            }
        }
        for (number, region) in shape.regions().iter().enumerate().rev() {
            if let Some(parent) = region.parent {
                let inside = takers[number].clone();
                for (all, holes) in takers[parent].iter_mut().zip(inside) {
                    *all += holes;
                }
            }
        }
        takers
    }

    fn needed_steps(&self) -> u64 {
        let length =
            |grid: &Grid, axes: usize| -> usize { (0..axes).map(|axis| grid.most(axis) + 1).sum() };
        let of_node = |node: &Node| {
            let cells = node.within.cells();
            let seen = |&child: &usize| {
                let above = &self.nodes[child].above;
                match *above == node.within {
                    true => cells,
                    false => cells * length(above, node.fixed.len()),
                }
            };
            let of_children: usize = node.children.iter().map(seen).sum();
            let mean = match node.size {
                0 => 0,
                size if self.reach(node) == node.within => node.above.cells() * (size + 1),
                size => (cells + size) * length(&node.within, node.fixed.len()),
            };
            (cells * (1 + node.demand.len()) + of_children + mean) as u64
        };
        self.nodes.iter().map(of_node).sum()
    }

    /// The tables of all regions, innermost first.
    fn fill(&mut self) {
        for number in (0..self.nodes.len()).rev() {
            let mut inside = Inside::default();
            for &child in &self.nodes[number].children {
                inside.put_in(&self.ways_seen_from(number, child));
            }
            let node = &self.nodes[number];
            let cells = self.own_ways(number, &node.demand, &inside);
            let ways = self.fold(number, 0, &cells);
            self.nodes[number].inside = inside;
            self.nodes[number].ways = ways;
        }
    }

    /// How many patterns there are.
    pub(super) fn count(&self) -> BigUint {
        self.nodes[0].ways[0].clone()
    }

    /// How many operations on big numbers counting took, roughly.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// True if there is a hole in the region, at any depth.
    pub(super) fn has_holes(&self, region: usize) -> bool {
        let node = &self.nodes[region];
        !node.demand.is_empty() || !node.children.is_empty()
    }

    /// How many variables of a region may change places.
    pub(super) fn movable(&self, region: usize) -> usize {
        self.nodes[region].size
    }

    /// The ways of all children of a region.
    pub(super) fn inside(&self, region: usize) -> &Inside {
        &self.nodes[region].inside
    }

    /// The ways of a child by what is in place within its parent.
    fn ways_seen_from(&self, parent: usize, child: usize) -> Vec<BigUint> {
        let child = &self.nodes[child];
        extended(&child.ways, &child.above, &self.nodes[parent].within)
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

    /// The ways to fill holes of a region that ask for `own`, and regions
    /// inside it, by what is in place there.
    pub(super) fn own_ways(&self, region: usize, own: &Demand, inside: &Inside) -> Vec<BigUint> {
        let node = &self.nodes[region];
        let mut point = Vec::new();
        let cell = |cell: usize| {
            node.within.read(cell, &mut point);
            node.own_cell(cell, &point, own, inside)
        };
        (0..node.within.cells()).map(cell).collect()
    }

    /// Takes a hole that asks for `axes` out of the result of
    /// [`Table::own_ways`]; `rest` is what the others ask for.
    pub(super) fn take_out(
        &self,
        region: usize,
        axes: Labels,
        (rest, inside): (&Demand, &Inside),
        cells: &mut [BigUint],
    ) {
        let node = &self.nodes[region];
        let mut point = Vec::new();
        let fixed = choices(&node.fixed, axes);
        for (cell, ways) in cells.iter_mut().enumerate() {
            node.within.read(cell, &mut point);
            match choices(&point, axes) + fixed {
                0 => *ways = node.own_cell(cell, &point, rest, inside),
                choices => *ways /= BigUint::from(choices),
            }
        }
    }

    /// Takes the ways of a child out of `inside`.
    pub(super) fn take_child_out(&self, region: usize, child: usize, inside: &mut Inside) {
        inside.take_out(&self.ways_seen_from(region, child));
    }

    /// The points that the mean over renamings looks at.
    fn reach(&self, node: &Node) -> Grid {
        let most = node.above.most(node.axis) + node.size;
        node.within.with(node.axis, most)
    }

    /// Takes the mean over the renamings of the region's unused variables:
    /// from tables by what is in place within the region to what is in place
    /// above it. The division is exact: both sides count patterns.
    pub(super) fn fold(&self, region: usize, used: usize, within: &[BigUint]) -> Vec<BigUint> {
        let node = &self.nodes[region];
        if node.size == 0 {
            return within.to_vec();
        }
        let reach = self.reach(node);
        let values = match reach == node.within {
            true => None,
            false => Some(extended(within, &node.within, &reach)),
        };
        let values = values.as_deref().unwrap_or(within);
        let unused = node.size - used;
        let stride = reach.stride(node.axis);
        let weights = self.renamings.in_place(unused);
        let mut point = Vec::new();
        let mean = |cell: usize| {
            node.above.read(cell, &mut point);
            let first = reach.index(&point) + used * stride;
            let mut sum = BigUint::ZERO;
            for (kept, weight) in weights.iter().enumerate() {
                let value = &values[first + kept * stride];
                match weight {
                    // The one, and one of two, of most classes.
                    weight if weight.is_zero() => {}
                    weight if weight.is_one() => sum += value,
                    weight => sum += weight * value,
                }
            }
            match unused {
                0 | 1 => sum,
                _ => sum / self.renamings.all(unused),
            }
        };
        (0..node.above.cells()).map(mean).collect()
    }

    /// The ways within a region, given those of one child by what is in place
    /// above that, and those of others.
    pub(super) fn around(
        &self,
        region: usize,
        child: usize,
        of_child: &[BigUint],
        others: &Inside,
    ) -> Vec<BigUint> {
        let (node, child) = (&self.nodes[region], &self.nodes[child]);
        let mut cells = extended(of_child, &child.above, &node.within);
        if !others.cells.is_empty() {
            for (cell, ways) in cells.iter_mut().enumerate() {
                *ways *= others.at(cell);
            }
        }
        cells
    }

    /// [`Table::fold`] backwards: from weights on what is in place above a
    /// region to weights on what is in place within it; or, given a child of
    /// it and the others, [`Table::around`] backwards too: above the child.
    pub(super) fn descend(
        &self,
        (region, used): (usize, usize),
        row: &Row,
        child: Option<(usize, &Inside)>,
    ) -> Row {
        let node = &self.nodes[region];
        let used = used.min(node.size);
        let (mut weights, reach) = match node.size {
            0 => (row.weights.clone(), node.within.clone()),
            _ => self.spread(node, used, row),
        };
        if let Some((_, others)) = child
            && !others.cells.is_empty()
        {
            let cells: Vec<BigUint> = (0..others.cells.len())
                .map(|cell| others.at(cell))
                .collect();
            let ways = extended(&cells, &node.within, &reach);
            for (weight, ways) in weights.iter_mut().zip(&ways) {
                *weight *= ways;
            }
        }
        let seen = child.map_or(&node.within, |(child, _)| &self.nodes[child].above);
        Row {
            weights: narrowed(weights, &reach, seen),
            denominator: &row.denominator * self.renamings.all(node.size - used),
        }
    }

    /// The mean over renamings, backwards.
    fn spread(&self, node: &Node, used: usize, row: &Row) -> (Vec<IBig>, Grid) {
        let reach = self.reach(node);
        let stride = reach.stride(node.axis);
        let mut weights = vec![IBig::ZERO; reach.cells()];
        let mut point = Vec::new();
        for (cell, weight) in row.weights.iter().enumerate() {
            node.above.read(cell, &mut point);
            let first = reach.index(&point) + used * stride;
            let times = self.renamings.in_place(node.size - used).iter();
            for (kept, times) in times.enumerate().filter(|(_, times)| !times.is_zero()) {
                weights[first + kept * stride] += weight * times;
            }
        }
        (weights, reach)
    }

    /// The weight of each number of variables of a region that stay in place,
    /// if so many stay in place above it.
    pub(super) fn weights_at(&self, region: usize, above: &[usize]) -> Vec<BigUint> {
        let node = &self.nodes[region];
        let mut cells = self.own_ways(region, &node.demand, &node.inside);
        let mut grid = node.within.clone();
        for (axis, &at) in above.iter().enumerate() {
            let most = if axis == node.axis {
                at + node.size
            } else {
                at
            };
            if most > grid.most(axis) {
                let longer = grid.with(axis, most);
                cells = extended(&cells, &grid, &longer);
                grid = longer;
            }
        }
        let (first, stride) = (grid.index(above), grid.stride(node.axis));
        let weight = |(kept, times): (usize, &BigUint)| times * &cells[first + kept * stride];
        let kept = self.renamings.in_place(node.size).iter().enumerate();
        kept.map(weight).collect()
    }

    /// Where the variables of a region are counted, and how many axes there are.
    pub(super) fn axis(&self, region: usize) -> (usize, usize) {
        (self.nodes[region].axis, self.nodes[region].fixed.len())
    }
}

impl Node {
    fn own_cell(&self, cell: usize, point: &[usize], own: &Demand, inside: &Inside) -> BigUint {
        let choices = |axes: Labels| choices(point, axes) + choices(&self.fixed, axes);
        if own.iter().any(|(axes, _)| choices(*axes) == 0) {
            return BigUint::ZERO;
        }
        let mut ways = inside.at(cell);
        for &(axes, times) in own {
            ways *= BigUint::from(choices(axes)).pow(times);
        }
        ways
    }

    /// The most variables that a hole of it may take.
    fn widest(&self) -> usize {
        let axes = 0..self.fixed.len();
        axes.map(|axis| self.within.most(axis) + self.fixed[axis])
            .sum()
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
