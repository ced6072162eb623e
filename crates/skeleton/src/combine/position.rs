//! Where one is in the making of a filling, and in how many ways it can go on.
//!
//! The ways to go on are a product of linear maps along the way from the root
//! to the region of the hole at hand. Multiplied from the root down it is a
//! [`Row`] of weights, which changes only where a variable is used for the
//! first time; from the hole up it is a table that changes with every hole,
//! but is small where little is left inside. Whichever costs less is used.

use lydite_core::BigUint;

use super::fillings::Part;
use super::table::{Demand, Inside, Row, demand};

/// See the module's documentation.
pub(super) struct Position {
    /// Holes before this place of the counting order are filled.
    at: usize,
    /// Used variables of every region.
    used: Vec<usize>,
    /// From the root to the region of the hole at hand.
    path: Vec<Level>,
    /// The holes after that at hand in its region, and the ways to fill them
    /// and the regions inside.
    rest: Demand,
    own: Vec<BigUint>,
    /// From the last level up: the ways to fill what is left inside of each,
    /// by what is in place above it; as far as anybody asked.
    columns: Vec<Vec<BigUint>>,
    old_ways: BigUint,
    /// What is above the root.
    root: Row,
    /// Operations on big numbers so far, roughly.
    steps: usize,
}

struct Level {
    region: usize,
    /// The regions inside it that are untouched.
    inside: Inside,
    /// Weights on what is in place above the next level, or within this one
    /// if it is the last.
    below: Option<Row>,
    /// The same if one more variable of this region were used.
    taking: Option<Row>,
    /// The same on what is in place within the last level.
    through: Option<Row>,
}

impl Position {
    /// Nothing is filled.
    pub(super) fn start(part: &Part) -> Position {
        let mut position = Position {
            at: 0,
            used: vec![0; part.shape.regions().len()],
            path: Vec::new(),
            rest: Demand::new(),
            own: Vec::new(),
            columns: Vec::new(),
            old_ways: BigUint::ONE,
            root: Row::of_root(),
            steps: 0,
        };
        position.enter(part);
        position
    }

    /// How many variables of a region are used.
    pub(super) fn used(&self, region: usize) -> usize {
        self.used[region]
    }

    /// How many operations on big numbers it took so far, roughly.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// The hole at hand is no longer among what is left: the ways to fill
    /// that if a used variable is taken.
    pub(super) fn pass(&mut self, part: &Part) -> BigUint {
        let Some(last) = self.path.last() else {
            return BigUint::ONE;
        };
        let axes = part.axes[self.at];
        if let Some(known) = self.rest.iter().position(|(known, _)| *known == axes) {
            self.rest[known].1 -= 1;
            if self.rest[known].1 == 0 {
                self.rest.remove(known);
            }
        }
        let left = (&self.rest, &last.inside);
        part.table.take_out(last.region, axes, left, &mut self.own);
        self.columns.clear();
        self.make_rows(part, self.path.len());
        self.old_ways = self.known_row(self.path.len()).sum(&self.own);
        self.steps += self.own.len();
        self.old_ways.clone()
    }

    /// The same if an unused variable of `region` is taken.
    pub(super) fn ways_taking(&mut self, part: &Part, region: usize) -> BigUint {
        if part.table.movable(region) == 0 {
            return self.old_ways.clone();
        }
        let (depth, last) = (self.depth_of(region), self.path.len() - 1);
        if self.path[depth].taking.is_none() {
            self.make_rows(part, depth);
            let more = self.used[region] + 1;
            let row = self.descend(part, depth, more, self.known_row(depth));
            self.steps += row.len() * (1 + part.table.movable(region));
            self.path[depth].taking = Some(row);
        }
        let holes: usize = self.rest.iter().map(|(_, holes)| holes).sum();
        let level = &self.path[depth];
        if depth < last && level.through.is_none() && holes < last - depth {
            self.climb(part, depth + 1);
            let taking = self.path[depth].taking.as_ref().expect("made above");
            return taking.sum(&self.columns[last - depth - 1]);
        }
        if level.through.is_none() {
            let mut row = level.taking.clone().expect("made above");
            for below in depth + 1..=last {
                let region = self.path[below].region;
                row = self.descend(part, below, self.used[region], &row);
                self.steps += row.len() * (1 + part.table.movable(region));
            }
            self.path[depth].through = Some(row);
        }
        self.steps += self.own.len();
        let through = self.path[depth].through.as_ref().expect("made above");
        through.sum(&self.own)
    }

    /// Variable number `within` of `region` is taken.
    pub(super) fn take(&mut self, part: &Part, region: usize, within: usize) {
        if within != self.used[region] {
            return;
        }
        self.used[region] += 1;
        if part.table.movable(region) > 0 {
            let depth = self.depth_of(region);
            self.path[depth..].iter_mut().for_each(Level::forget);
            self.path[..depth]
                .iter_mut()
                .for_each(|level| level.through = None);
        }
    }

    /// To the next hole.
    pub(super) fn go_on(&mut self, part: &Part) {
        self.at += 1;
        if part.region_at(self.at) != part.region_at(self.at - 1) {
            self.enter(part);
        }
    }

    /// The way from the root to the region of the hole at hand; what is
    /// before it on every level is done.
    fn enter(&mut self, part: &Part) {
        let Some(region) = part.region_at(self.at) else {
            self.path.clear();
            return;
        };
        let regions = part.shape.path(region);
        let pairs = self.path.iter().zip(&regions);
        let common = pairs
            .take_while(|(level, region)| level.region == **region)
            .count();
        self.path.truncate(common);
        let level = |&region: &usize| Level {
            region,
            inside: part.table.inside(region).clone(),
            below: None,
            taking: None,
            through: None,
        };
        self.path.extend(regions[common..].iter().map(level));
        for depth in common.saturating_sub(1)..regions.len() - 1 {
            let level = &mut self.path[depth];
            part.table
                .take_child_out(level.region, regions[depth + 1], &mut level.inside);
            level.forget();
        }
        self.path.iter_mut().for_each(|level| level.through = None);
        self.rest.clear();
        let own = (self.at..).take_while(|&at| part.region_at(at) == Some(region));
        for at in own {
            demand(&mut self.rest, part.axes[at]);
        }
        let inside = part.table.inside(region);
        self.own = part.table.own_ways(region, &self.rest, inside);
    }

    fn depth_of(&self, region: usize) -> usize {
        let depth = self.path.iter().position(|level| level.region == region);
        depth.expect("a hole takes what is around it")
    }

    /// Makes sure of the rows of the levels before `depth`.
    fn make_rows(&mut self, part: &Part, depth: usize) {
        for above in 0..depth {
            if self.path[above].below.is_none() {
                let region = self.path[above].region;
                let row = self.descend(part, above, self.used[region], self.known_row(above));
                self.steps += row.len() * (1 + part.table.movable(region));
                self.path[above].below = Some(row);
            }
        }
    }

    /// Weights on what is in place above a level, or within the last.
    fn known_row(&self, depth: usize) -> &Row {
        match depth.checked_sub(1) {
            None => &self.root,
            Some(above) => self.path[above].below.as_ref().expect("made before"),
        }
    }

    /// From above a level to below it, if so many of its variables are used.
    fn descend(&self, part: &Part, depth: usize, used: usize, row: &Row) -> Row {
        let level = &self.path[depth];
        let next = self.path.get(depth + 1);
        let child = next.map(|next| (next.region, &level.inside));
        part.table.descend((level.region, used), row, child)
    }

    /// Columns as far up as a level.
    fn climb(&mut self, part: &Part, depth: usize) {
        let last = self.path.len() - 1;
        while self.columns.len() <= last - depth {
            let at = last - self.columns.len();
            let region = self.path[at].region;
            let cells = self.columns.last().map(|column| {
                let (child, others) = (self.path[at + 1].region, &self.path[at].inside);
                part.table.around(region, child, column, others)
            });
            let cells = cells.as_deref().unwrap_or(&self.own);
            let column = part.table.fold(region, self.used[region], cells);
            self.steps += column.len() * (1 + part.table.movable(region));
            self.columns.push(column);
        }
    }
}

impl Level {
    /// What is used here or above has changed.
    fn forget(&mut self) {
        self.below = None;
        self.taking = None;
        self.through = None;
    }
}
