//! All patterns of several independent shapes, numbered.

use lydite_core::{BigUint, Choices, Reject};

use super::shape::Labels;
use super::shape::Shape;
use super::table::{Demand, Place, Table, TooWide, demand};
use super::walk::{Source, Walk};

/// The patterns of shapes that share no variable: the product of their
/// patterns, the last shape's changing fastest.
///
/// A filling is a list of slots, one per hole; holes and slots of the shapes
/// are numbered one shape after the other. Fillings that are given out are
/// the representatives of their patterns.
pub struct Fillings {
    parts: Vec<Part>,
    count: BigUint,
    naive: BigUint,
    holes: usize,
}

struct Part {
    shape: Shape,
    table: Table,
    /// Holes in the order in which they are counted, with the regions that
    /// each takes from.
    order: Vec<usize>,
    sources: Vec<Vec<usize>>,
    /// What each of them asks for, as axes of the table.
    axes: Vec<Labels>,
    count: BigUint,
    first_hole: usize,
    first_slot: u32,
}

impl Fillings {
    /// Counts the patterns of all shapes together.
    pub fn new(shapes: Vec<Shape>) -> Result<Fillings, TooWide> {
        let (mut first_hole, mut first_slot) = (0, 0);
        let mut parts = Vec::with_capacity(shapes.len());
        let (mut count, mut naive) = (BigUint::ONE, BigUint::ONE);
        for shape in shapes {
            let table = Table::new(&shape)?;
            let order = shape.counting_order();
            let sources = order
                .iter()
                .map(|&hole| shape.sources(&shape.holes()[hole]))
                .collect();
            let axes = order
                .iter()
                .map(|&hole| table.axes_of(shape.holes()[hole].labels))
                .collect();
            let (holes, slots) = (shape.holes().len(), shape.slot_count());
            for hole in shape.holes() {
                naive *= BigUint::from(shape.candidates(hole));
            }
            let mut part = Part {
                shape,
                table,
                order,
                sources,
                axes,
                count: BigUint::ONE,
                first_hole,
                first_slot,
            };
            part.count = part.position().ways(&part);
            count *= &part.count;
            first_hole += holes;
            first_slot += slots;
            parts.push(part);
        }
        Ok(Fillings {
            parts,
            count,
            naive,
            holes: first_hole,
        })
    }

    /// How many patterns there are.
    pub fn count(&self) -> &BigUint {
        &self.count
    }

    /// How many fillings there are if nothing is the same as anything else.
    pub fn naive(&self) -> &BigUint {
        &self.naive
    }

    /// How many holes a filling fills.
    pub fn holes(&self) -> usize {
        self.holes
    }

    /// The slots that may fill a hole.
    pub fn candidates(&self, hole: usize) -> Vec<u32> {
        let part = self.parts.partition_point(|part| part.first_hole <= hole) - 1;
        let Part {
            shape,
            first_hole,
            first_slot,
            ..
        } = &self.parts[part];
        let sources = shape.sources(&shape.holes()[hole - first_hole]).into_iter();
        let slots = sources.flat_map(|region| {
            let first = first_slot + shape.first_slot(region);
            first..first + shape.regions()[region].size as u32
        });
        slots.collect()
    }

    /// The filling that stands for pattern number `index`.
    pub fn nth(&self, index: &BigUint) -> Option<Vec<u32>> {
        if *index >= self.count {
            return None;
        }
        let mut filling = vec![0; self.holes];
        let mut rest = index.clone();
        for part in self.parts.iter().rev() {
            let within = &rest % &part.count;
            rest /= &part.count;
            part.write_nth(within, &mut filling);
        }
        Some(filling)
    }

    /// The number of the pattern that `filling` has; `None` if it is no
    /// filling of these shapes.
    pub fn index_of(&self, filling: &[u32]) -> Option<BigUint> {
        if filling.len() != self.holes {
            return None;
        }
        let mut index = BigUint::ZERO;
        for part in &self.parts {
            index = index * &part.count + part.index_of(filling)?;
        }
        Some(index)
    }

    /// A pattern, all equally likely.
    pub fn sample(&self, choices: &mut Choices) -> Result<Vec<u32>, Reject> {
        let index = choices.below_big(&self.count)?;
        self.nth(&index)
            .ok_or(Reject::NotApplicable("an index beyond the last pattern"))
    }

    /// Pattern number `index` and those after it.
    pub fn walk(&self, index: &BigUint) -> Option<Walk> {
        let filling = self.nth(index)?;
        let mut sources = Vec::with_capacity(self.holes);
        for part in &self.parts {
            for (&hole, regions) in part.order.iter().zip(&part.sources) {
                let source = |&region: &usize| Source {
                    first: part.first_slot + part.shape.first_slot(region),
                    size: part.shape.regions()[region].size as u32,
                };
                let regions = regions.iter().map(source).collect();
                sources.push((part.first_hole + hole, regions));
            }
        }
        Some(Walk::new(sources, filling))
    }
}

/// Where one is when the holes before `at` (in counting order) are filled.
struct Position {
    at: usize,
    path: Vec<Place>,
    /// Used variables of every region.
    used: Vec<usize>,
    /// What the holes from `at` on that are in its region ask for, and the
    /// ways to fill them and the regions inside.
    rest: Demand,
    own: Vec<BigUint>,
}

impl Part {
    fn position(&self) -> Position {
        let mut position = Position {
            at: 0,
            path: Vec::new(),
            used: vec![0; self.shape.regions().len()],
            rest: Demand::new(),
            own: Vec::new(),
        };
        position.enter(self);
        position
    }

    fn write_nth(&self, mut index: BigUint, filling: &mut [u32]) {
        let mut position = self.position();
        for (at, &hole) in self.order.iter().enumerate() {
            position.pass(self);
            let old_ways = position.ways(self);
            let mut chosen = None;
            for &region in &self.sources[at] {
                let used = position.used[region];
                let old = &old_ways * BigUint::from(used);
                if index < old {
                    let slot = usize::try_from(&(&index / &old_ways)).expect("below the used");
                    index %= &old_ways;
                    chosen = Some((region, slot));
                    break;
                }
                index -= old;
                if used == self.shape.regions()[region].size {
                    continue;
                }
                let ways = position.ways_taking(self, region);
                if index < ways {
                    chosen = Some((region, used));
                    break;
                }
                index -= ways;
            }
            let (region, within) = chosen.expect("the index is below the number of ways");
            position.take(region, within);
            let slot = self.shape.first_slot(region) + within as u32;
            filling[self.first_hole + hole] = self.first_slot + slot;
            position.go_on(self);
        }
    }

    fn index_of(&self, filling: &[u32]) -> Option<BigUint> {
        let mut position = self.position();
        let mut index = BigUint::ZERO;
        // The first use of a variable gives it its number within its class.
        let mut numbers = vec![None; self.shape.slot_count() as usize];
        for (at, &hole) in self.order.iter().enumerate() {
            let slot = filling[self.first_hole + hole].checked_sub(self.first_slot)?;
            let chosen = (slot < self.shape.slot_count()).then(|| self.shape.region_of(slot))?;
            position.pass(self);
            let old_ways = position.ways(self);
            let mut met = false;
            for &region in &self.sources[at] {
                let used = position.used[region];
                if region == chosen {
                    let number = *numbers[slot as usize].get_or_insert(used);
                    index += &old_ways * BigUint::from(number);
                    position.take(region, number);
                    met = true;
                    break;
                }
                index += &old_ways * BigUint::from(used);
                if used < self.shape.regions()[region].size {
                    index += position.ways_taking(self, region);
                }
            }
            if !met {
                return None;
            }
            position.go_on(self);
        }
        Some(index)
    }

    fn region_at(&self, at: usize) -> Option<usize> {
        let hole = *self.order.get(at)?;
        Some(self.shape.holes()[hole].region)
    }
}

impl Position {
    /// The ways to fill all that is left.
    fn ways(&self, part: &Part) -> BigUint {
        part.table.ways(&self.path, &self.own)
    }

    /// The same if an unused variable of `region` were taken first.
    fn ways_taking(&mut self, part: &Part, region: usize) -> BigUint {
        self.count_used(region, 1);
        let ways = self.ways(part);
        self.count_used(region, -1);
        ways
    }

    /// Variable number `within` of `region` is taken.
    fn take(&mut self, region: usize, within: usize) {
        if within == self.used[region] {
            self.count_used(region, 1);
        }
    }

    fn count_used(&mut self, region: usize, change: isize) {
        self.used[region] = self.used[region].saturating_add_signed(change);
        for place in self.path.iter_mut().filter(|place| place.region == region) {
            place.used = self.used[region];
        }
    }

    /// The hole at hand is no longer among what is left.
    fn pass(&mut self, part: &Part) {
        let Some(region) = part.region_at(self.at) else {
            return;
        };
        let axes = part.axes[self.at];
        if let Some(known) = self.rest.iter().position(|(known, _)| *known == axes) {
            self.rest[known].1 -= 1;
            if self.rest[known].1 == 0 {
                self.rest.remove(known);
            }
        }
        part.table.take_out(region, axes, &self.rest, &mut self.own);
    }

    /// To the next hole.
    fn go_on(&mut self, part: &Part) {
        self.at += 1;
        if part.region_at(self.at) != part.region_at(self.at - 1) {
            self.enter(part);
        }
    }

    /// The way from the root to the region of the hole at hand; what is
    /// before it on every level is done.
    fn enter(&mut self, part: &Part) {
        self.path.clear();
        self.rest.clear();
        self.own.clear();
        let Some(region) = part.region_at(self.at) else {
            return;
        };
        let regions = part.shape.path(region);
        for (depth, &region) in regions.iter().enumerate() {
            let inside = regions.get(depth + 1);
            let children = part.table.children(region);
            let next_child = match inside {
                None => 0,
                Some(inside) => children.partition_point(|child| child <= inside),
            };
            self.path.push(Place {
                region,
                used: self.used[region],
                next_child,
            });
        }
        let own = (self.at..).take_while(|&at| part.region_at(at) == Some(region));
        for at in own {
            demand(&mut self.rest, part.axes[at]);
        }
        self.own = part.table.own_ways(region, &self.rest);
    }
}
