//! From one pattern to the next, in place.

/// A class that a hole takes from, by its slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub first: u32,
    pub size: u32,
}

/// A filling that moves from pattern to pattern, in the order of their
/// numbers. A step changes little more than one hole on average.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The holes that have a choice, in counting order.
    steps: Vec<Step>,
    /// The classes that they take from, one hole after the other.
    offers: Vec<Offer>,
    /// How many variables of each class are used so far.
    used: Vec<u32>,
    filling: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    /// The hole's place in the filling.
    hole: u32,
    /// Its range of offers, and the one taken.
    first: u32,
    end: u32,
    taken: u32,
    /// The variable within the class that is taken.
    within: u32,
    /// It is the first use of that variable.
    fresh: bool,
}

/// A class as one hole sees it.
#[derive(Clone, Copy, Debug)]
struct Offer {
    class: u32,
    first: u32,
    size: u32,
}

impl Walk {
    /// `holes` in counting order, with what they take from; `filling` is the
    /// representative of its pattern.
    pub(super) fn new(holes: Vec<(usize, Vec<Source>)>, filling: Vec<u32>) -> Walk {
        let mut firsts: Vec<u32> = holes
            .iter()
            .flat_map(|(_, sources)| sources.iter().map(|source| source.first))
            .collect();
        firsts.sort_unstable();
        firsts.dedup();
        let class = |first: u32| firsts.partition_point(|&other| other < first) as u32;
        let mut walk = Walk {
            steps: Vec::new(),
            offers: Vec::new(),
            used: vec![0; firsts.len()],
            filling,
        };
        for (hole, sources) in &holes {
            // What has no choice never moves, nor does it matter to others.
            if matches!(sources[..], [Source { size: 1, .. }]) {
                continue;
            }
            let slot = walk.filling[*hole];
            let first = walk.offers.len();
            let taken = sources.partition_point(|source| source.first <= slot) - 1;
            let within = slot - sources[taken].first;
            walk.offers.extend(sources.iter().map(|source| Offer {
                class: class(source.first),
                first: source.first,
                size: source.size,
            }));
            let used = &mut walk.used[class(sources[taken].first) as usize];
            let fresh = within == *used;
            *used += u32::from(fresh);
            walk.steps.push(Step {
                hole: *hole as u32,
                first: first as u32,
                end: walk.offers.len() as u32,
                taken: (first + taken) as u32,
                within,
                fresh,
            });
        }
        walk
    }

    /// The slots of the present pattern.
    pub fn filling(&self) -> &[u32] {
        &self.filling
    }

    /// Goes to the next pattern; false after the last.
    pub fn advance(&mut self) -> bool {
        for at in (0..self.steps.len()).rev() {
            let step = &mut self.steps[at];
            let mut offer = self.offers[step.taken as usize];
            let used = &mut self.used[offer.class as usize];
            *used -= u32::from(step.fresh);
            let next = step.within + 1;
            if next <= *used && next < offer.size {
                step.within = next;
            } else if step.taken + 1 < step.end {
                step.taken += 1;
                step.within = 0;
                offer = self.offers[step.taken as usize];
            } else {
                continue;
            }
            let used = &mut self.used[offer.class as usize];
            step.fresh = step.within == *used;
            *used += u32::from(step.fresh);
            self.filling[step.hole as usize] = offer.first + step.within;
            self.restart(at + 1);
            return true;
        }
        false
    }

    /// The first pattern of the holes from `at` on.
    fn restart(&mut self, at: usize) {
        for step in &mut self.steps[at..] {
            let offer = self.offers[step.first as usize];
            let used = &mut self.used[offer.class as usize];
            step.taken = step.first;
            step.within = 0;
            step.fresh = *used == 0;
            *used += u32::from(step.fresh);
            self.filling[step.hole as usize] = offer.first;
        }
    }
}
