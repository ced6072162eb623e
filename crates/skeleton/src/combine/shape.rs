//! What is to be filled: a tree of regions, each with one class of
//! interchangeable variables, and holes in them.

/// A set of labels, one bit each.
pub type Labels = u64;

/// A stretch of a program throughout which the same variables can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The region around it, with a smaller number; `None` for the first.
    pub parent: Option<usize>,
    /// The label of its variables, below 64: a hole takes variables of its own labels only.
    pub label: u8,
    /// How many interchangeable variables come into sight here.
    pub size: usize,
}

/// A place that takes one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The region that it is in: it sees the variables of this region and of those around it.
    pub region: usize,
    /// The labels of the variables that it takes.
    pub labels: Labels,
}

/// Holes and what may fill them.
///
/// Variables are numbered by region, in the order of regions: those are the
/// *slots* that fillings are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    regions: Vec<Region>,
    holes: Vec<Hole>,
    /// The first slot of each region, and their number at the end.
    slots: Vec<u32>,
}

impl Shape {
    /// Makes a shape. The first region is the root, parents come before their children, and every
    /// hole has at least one variable to take; otherwise it panics.
    pub fn new(regions: Vec<Region>, holes: Vec<Hole>) -> Shape {
        assert!(!regions.is_empty() && regions[0].parent.is_none());
        for (number, region) in regions.iter().enumerate().skip(1) {
            assert!(region.parent.is_some_and(|parent| parent < number));
        }
        assert!(regions.iter().all(|region| region.label < 64));
        let mut slots = vec![0u32];
        for region in &regions {
            let last = slots[slots.len() - 1];
            slots.push(last + u32::try_from(region.size).expect("fewer variables than bytes"));
        }
        let shape = Shape {
            regions,
            holes,
            slots,
        };
        for hole in &shape.holes {
            assert!(hole.region < shape.regions.len());
            assert!(shape.candidates(hole) > 0, "a hole that nothing fills");
        }
        shape
    }

    /// All regions.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// All holes.
    pub fn holes(&self) -> &[Hole] {
        &self.holes
    }

    /// How many variables there are.
    pub fn slot_count(&self) -> u32 {
        self.slots[self.regions.len()]
    }

    /// The first slot of a region.
    pub fn first_slot(&self, region: usize) -> u32 {
        self.slots[region]
    }

    /// The region whose variable a slot is.
    pub fn region_of(&self, slot: u32) -> usize {
        self.slots.partition_point(|&first| first <= slot) - 1
    }

    /// The regions on the way from the root to `region`, both included.
    pub fn path(&self, region: usize) -> Vec<usize> {
        let mut path = vec![region];
        while let Some(parent) = self.regions[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// The regions whose variables `hole` takes, from the outermost.
    pub fn sources(&self, hole: &Hole) -> Vec<usize> {
        let takes = |region: &usize| {
            let Region { label, size, .. } = self.regions[*region];
            size > 0 && hole.labels >> label & 1 == 1
        };
        self.path(hole.region).into_iter().filter(takes).collect()
    }

    /// How many variables may fill `hole`.
    pub fn candidates(&self, hole: &Hole) -> usize {
        let sizes = self.sources(hole);
        sizes.iter().map(|&region| self.regions[region].size).sum()
    }

    /// The holes in the order in which fillings are compared and numbered: a
    /// region's own first, then those of the regions inside it.
    pub fn counting_order(&self) -> Vec<usize> {
        let mut of_region = vec![Vec::new(); self.regions.len()];
        for (number, hole) in self.holes.iter().enumerate() {
            of_region[hole.region].push(number);
        }
        let mut inside = vec![Vec::new(); self.regions.len()];
        for (number, region) in self.regions.iter().enumerate() {
            if let Some(parent) = region.parent {
                inside[parent].push(number);
            }
        }
        let mut order = Vec::with_capacity(self.holes.len());
        let mut stack = vec![0];
        while let Some(region) = stack.pop() {
            order.append(&mut of_region[region]);
            stack.extend(inside[region].iter().rev());
        }
        order
    }
}
