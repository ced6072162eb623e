//! All patterns of several independent shapes, numbered.

use lydite_core::{BigUint, Choices, Reject};

use super::shape::Shape;
use super::table::{Place, Table, TooWide};
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
            let (holes, slots) = (shape.holes().len(), shape.slot_count());
            for hole in shape.holes() {
                naive *= BigUint::from(shape.candidates(hole));
            }
            let mut part = Part {
                shape,
                table,
                order,
                sources,
                count: BigUint::ONE,
                first_hole,
                first_slot,
            };
            part.count = part.position(0).ways(&part);
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
}

impl Part {
    fn position(&self, at: usize) -> Position {
        let used = vec![0; self.shape.regions().len()];
        let mut position = Position {
            at,
            path: Vec::new(),
            used,
        };
        position.find_path(self);
        position
    }

    fn write_nth(&self, mut index: BigUint, filling: &mut [u32]) {
        let mut position = self.position(0);
        for (at, &hole) in self.order.iter().enumerate() {
            let old_ways = position.after(at).ways_from(self, at + 1);
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
                let ways = position.taking(region).ways_from(self, at + 1);
                if index < ways {
                    chosen = Some((region, used));
                    break;
                }
                index -= ways;
            }
            let (region, within) = chosen.expect("the index is below the number of ways");
            position.used[region] = position.used[region].max(within + 1);
            let slot = self.shape.first_slot(region) + within as u32;
            filling[self.first_hole + hole] = self.first_slot + slot;
            position.move_to(self, at + 1);
        }
    }

    fn index_of(&self, filling: &[u32]) -> Option<BigUint> {
        let mut position = self.position(0);
        let mut index = BigUint::ZERO;
        // The first use of a variable gives it its number within its class.
        let mut numbers = vec![None; self.shape.slot_count() as usize];
        for (at, &hole) in self.order.iter().enumerate() {
            let slot = filling[self.first_hole + hole].checked_sub(self.first_slot)?;
            let chosen = (slot < self.shape.slot_count()).then(|| self.shape.region_of(slot))?;
            let old_ways = position.after(at).ways_from(self, at + 1);
            let mut met = false;
            for &region in &self.sources[at] {
                let used = position.used[region];
                if region == chosen {
                    let number = *numbers[slot as usize].get_or_insert(used);
                    index += &old_ways * BigUint::from(number);
                    position.used[region] = used.max(number + 1);
                    met = true;
                    break;
                }
                index += &old_ways * BigUint::from(used);
                if used < self.shape.regions()[region].size {
                    index += position.taking(region).ways_from(self, at + 1);
                }
            }
            if !met {
                return None;
            }
            position.move_to(self, at + 1);
        }
        Some(index)
    }
}

impl Position {
    /// The ways to fill all that is left.
    fn ways(&self, part: &Part) -> BigUint {
        self.ways_from(part, self.at)
    }

    /// The ways to fill the holes from number `from` on, which is where this
    /// position is or one after it.
    fn ways_from(&self, part: &Part, from: usize) -> BigUint {
        let Some(here) = self.path.last() else {
            return BigUint::ONE;
        };
        let of_region = |hole: &&usize| part.shape.holes()[**hole].region == here.region;
        let rest: Vec<u64> = part.order[from..]
            .iter()
            .take_while(of_region)
            .map(|&hole| part.table.axes_of(part.shape.holes()[hole].labels))
            .collect();
        part.table.ways(&self.path, &rest)
    }

    /// The same place; a used variable was taken.
    fn after(&mut self, at: usize) -> &Position {
        debug_assert_eq!(self.at, at);
        for place in &mut self.path {
            place.used = self.used[place.region];
        }
        self
    }

    /// The same place if an unused variable of `region` were taken.
    fn taking(&self, region: usize) -> Position {
        let mut path = self.path.clone();
        for place in &mut path {
            place.used = self.used[place.region] + usize::from(place.region == region);
        }
        Position {
            at: self.at,
            path,
            used: Vec::new(),
        }
    }

    fn move_to(&mut self, part: &Part, at: usize) {
        let region = |at: usize| {
            part.order
                .get(at)
                .map(|&hole| part.shape.holes()[hole].region)
        };
        let moved = region(at) != region(self.at);
        self.at = at;
        if moved {
            self.find_path(part);
        }
    }

    /// The way from the root to the region of the hole at hand; what is
    /// before it on every level is done.
    fn find_path(&mut self, part: &Part) {
        self.path.clear();
        let Some(&hole) = part.order.get(self.at) else {
            return;
        };
        let regions = part.shape.path(part.shape.holes()[hole].region);
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
    }
}
