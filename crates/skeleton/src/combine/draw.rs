//! A pattern drawn uniformly.
//!
//! Of all pairs of a renaming and a filling that it leaves alone, each pattern
//! has equally many: as many as there are renamings (the orbits and the
//! stabilizers of Burnside's lemma). So a pair is drawn: for each region how
//! many of its variables stay in place, and then for each hole one of those
//! that it sees and that do. Which variables these are does not matter to the
//! pattern.

use lydite_core::{BigUint, Choices, Reject};

use super::fillings::Part;

/// The slots of a pattern's representative, in counting order.
pub(super) fn pattern(part: &Part, choices: &mut Choices) -> Result<Vec<u32>, Reject> {
    let in_place = variables_in_place(part, choices)?;
    let regions = part.shape.regions();
    // The first use of a variable gives it its number within its class.
    let mut numbers = vec![None; part.shape.slot_count() as usize];
    let mut used = vec![0u32; regions.len()];
    let mut slots = Vec::with_capacity(part.order.len());
    for sources in &part.sources {
        let all = sources.iter().map(|&region| in_place[region]).sum();
        let mut at = choices.index(all)?;
        let chosen = sources.iter().find(|&&region| {
            let here = at < in_place[region];
            at -= if here { 0 } else { in_place[region] };
            here
        });
        let &region = chosen.expect("the index is below the sum");
        let first = part.shape.first_slot(region);
        let number = numbers[first as usize + at].get_or_insert_with(|| {
            used[region] += 1;
            used[region] - 1
        });
        slots.push(first + *number);
    }
    Ok(slots)
}

/// How many variables of each region a renaming leaves in place, as likely as
/// there are pairs with so many.
fn variables_in_place(part: &Part, choices: &mut Choices) -> Result<Vec<usize>, Reject> {
    let regions = part.shape.regions();
    let mut in_place: Vec<usize> = regions.iter().map(|region| region.size.min(1)).collect();
    // By axis, with the regions around.
    let mut seen: Vec<Vec<usize>> = Vec::with_capacity(regions.len());
    for (number, region) in regions.iter().enumerate() {
        let (axis, axes) = part.table.axis(number);
        let mut point = match region.parent {
            Some(parent) => seen[parent].clone(),
            None => vec![0; axes],
        };
        if part.table.movable(number) > 0 && part.table.has_holes(number) {
            let weights = part.table.weights_at(number, &point);
            let all: BigUint = weights.iter().sum();
            let mut left = choices.below_big(&all)?;
            let kept = weights.iter().position(|weight| {
                let here = left < *weight;
                if !here {
                    left -= weight;
                }
                here
            });
            in_place[number] = kept.expect("the index is below the sum");
            point[axis] += in_place[number];
        }
        seen.push(point);
    }
    Ok(in_place)
}
