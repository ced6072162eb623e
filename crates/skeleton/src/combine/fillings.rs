//! All patterns of several independent shapes, numbered.

use lydite_core::{BigUint, Choices, Reject};

use super::draw;
use super::position::Position;
use super::shape::{Labels, Shape};
use super::table::{Table, TooWide};
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

pub(super) struct Part {
    pub shape: Shape,
    pub table: Table,
    /// Holes in the order in which they are counted, with the regions that
    /// each takes from.
    pub order: Vec<usize>,
    pub sources: Vec<Vec<usize>>,
    /// The labels that each of these holes takes, as axes of the table.
    pub axes: Vec<Labels>,
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
            count *= table.count();
            parts.push(Part {
                count: table.count(),
                shape,
                table,
                order,
                sources,
                axes,
                first_hole,
                first_slot,
            });
            first_hole += holes;
            first_slot += slots;
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

    /// How many fillings there are if none is taken for the same as another.
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

    /// How many operations on big numbers [`Fillings::nth`] takes, roughly.
    #[cfg(test)]
    pub(super) fn steps_of_nth(&self, index: &BigUint) -> usize {
        let part = &self.parts[0];
        part.write_nth(index.clone(), &mut vec![0; self.holes])
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

    /// How many operations on big numbers counting took, roughly.
    pub fn steps(&self) -> u64 {
        self.parts.iter().map(|part| part.table.steps()).sum()
    }

    /// Draws a pattern; all are equally likely.
    pub fn sample(&self, choices: &mut Choices) -> Result<Vec<u32>, Reject> {
        let mut filling = vec![0; self.holes];
        for part in &self.parts {
            let slots = draw::pattern(part, choices)?;
            for (&hole, slot) in part.order.iter().zip(slots) {
                filling[part.first_hole + hole] = part.first_slot + slot;
            }
        }
        Ok(filling)
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

impl Part {
    /// Returns how many operations on big numbers it took, roughly.
    fn write_nth(&self, mut index: BigUint, filling: &mut [u32]) -> usize {
        let mut position = Position::start(self);
        for (at, &hole) in self.order.iter().enumerate() {
            let old_ways = position.pass(self);
            let mut chosen = None;
            for &region in &self.sources[at] {
                let used = position.used(region);
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
            position.take(self, region, within);
            let slot = self.shape.first_slot(region) + within as u32;
            filling[self.first_hole + hole] = self.first_slot + slot;
            position.go_on(self);
        }
        position.steps()
    }

    fn index_of(&self, filling: &[u32]) -> Option<BigUint> {
        let mut position = Position::start(self);
        let mut index = BigUint::ZERO;
        // The first use of a variable gives it its number within its class.
        let mut numbers = vec![None; self.shape.slot_count() as usize];
        for (at, &hole) in self.order.iter().enumerate() {
            let slot = filling[self.first_hole + hole].checked_sub(self.first_slot)?;
            let chosen = (slot < self.shape.slot_count()).then(|| self.shape.region_of(slot))?;
            let old_ways = position.pass(self);
            let mut met = false;
            for &region in &self.sources[at] {
                let used = position.used(region);
                if region == chosen {
                    let number = *numbers[slot as usize].get_or_insert(used);
                    index += &old_ways * BigUint::from(number);
                    position.take(self, region, number);
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

    /// The region of the hole at a place of the counting order.
    pub(super) fn region_at(&self, at: usize) -> Option<usize> {
        let hole = *self.order.get(at)?;
        Some(self.shape.holes()[hole].region)
    }
}
