//! From an outline to shapes: which holes are counted together, and which
//! variables of which classes each of them takes.

use std::collections::BTreeMap;

use crate::combine::{Hole, Labels, Region, Shape, TooWide};
use crate::extract::{Outline, Use};
use crate::options::{Classes, Mode, Options, Types};

/// The shapes of a program, in the making.
pub(crate) struct Plan<'a> {
    outline: &'a Outline,
    options: Options,
    /// Variables that others hide may fill holes too.
    hidden: bool,
}

/// A shape and what it stands for.
pub(crate) struct Planned {
    pub shape: Shape,
    /// The same with the scopes that the paper's algorithm 1 knows: what a
    /// function sees from its outermost block, and scopes inside it.
    pub paper_shape: Shape,
    /// The use that each hole is.
    pub uses: Vec<usize>,
    /// The variable that each slot is.
    pub slots: Vec<usize>,
    /// The slot of each hole in the program as it is.
    pub original: Vec<u32>,
}

/// A class in the making.
struct Class {
    variables: Vec<usize>,
    region: usize,
    /// Which holes inside its region take it.
    takers: Vec<bool>,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(outline: &'a Outline, options: Options, hidden: bool) -> Plan<'a> {
        Plan {
            outline,
            options,
            hidden,
        }
    }

    /// All parts, in the order of the text.
    pub(crate) fn parts(&self) -> Result<Vec<Planned>, TooWide> {
        let mut groups: BTreeMap<(usize, usize, &str), Vec<usize>> = BTreeMap::new();
        let mut first_of: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        for (number, place) in self.outline.uses.iter().enumerate() {
            let function = match self.options.mode {
                Mode::Intra => place.function,
                Mode::Inter => 0,
            };
            let pool = self.pool(place.variable);
            let first = *first_of.entry((function, pool)).or_insert(number);
            groups
                .entry((function, first, pool))
                .or_default()
                .push(number);
        }
        let mut parts = Vec::new();
        for ((_, _, pool), uses) in groups {
            if let Some(part) = self.part(pool, uses)? {
                parts.push(part);
            }
        }
        Ok(parts)
    }

    /// Variables of different pools never fill the same hole.
    fn pool(&self, variable: usize) -> &'a str {
        let variable = &self.outline.variables[variable];
        match (self.options.types, variable.family) {
            (Types::Convertible, Some(family)) => family,
            _ => &variable.type_text,
        }
    }

    /// What fills a hole: a variable of its pool that it sees.
    fn takes(&self, place: &Use, variable: usize) -> bool {
        let (own, other) = (
            &self.outline.variables[place.variable],
            &self.outline.variables[variable],
        );
        (!place.exact || own.type_text == other.type_text) && self.outline.fits(place, variable)
    }

    /// The shape of the uses of one pool; `None` if no hole has a choice.
    fn part(&self, pool: &str, mut uses: Vec<usize>) -> Result<Option<Planned>, TooWide> {
        let outline = self.outline;
        let span = outline.uses[uses[0]].range.start..outline.uses[uses[uses.len() - 1]].range.end;
        let near = |variable: &usize| {
            let declared = &outline.variables[*variable];
            let scope = &outline.scopes[declared.scope].range;
            scope.start < span.end && span.start < scope.end && declared.from < span.end
        };
        let mut variables: Vec<usize> = (0..outline.variables.len())
            .filter(near)
            .filter(|&variable| self.pool(variable) == pool)
            .collect();
        if !self.hidden {
            variables.retain(|&variable| {
                let plain = |&place: &usize| {
                    let place = &outline.uses[place];
                    !self.in_sight(place, variable) || outline.sees(place, variable)
                };
                uses.iter().all(plain)
            });
        }
        uses.retain(|&place| {
            let place = &outline.uses[place];
            let candidates = variables
                .iter()
                .filter(|&&variable| self.takes(place, variable));
            variables.contains(&place.variable) && candidates.take(2).count() > 1
        });
        if uses.is_empty() {
            return Ok(None);
        }
        let tree = RegionTree::grow(self, &variables, &uses);
        let labels = label_classes(&tree)?;
        Ok(Some(self.planned(tree, &labels, uses)))
    }

    /// Declared before the use, in a scope around it.
    fn in_sight(&self, place: &Use, variable: usize) -> bool {
        let variable = &self.outline.variables[variable];
        let scope = &self.outline.scopes[variable.scope].range;
        variable.from <= place.range.start && scope.contains(&place.range.start)
    }

    fn planned(&self, mut tree: RegionTree, labels: &Labelled, uses: Vec<usize>) -> Planned {
        let mut regions: Vec<Region> = tree
            .parents
            .iter()
            .map(|&parent| Region {
                parent,
                label: 0,
                size: 0,
            })
            .collect();
        for (class, &label) in tree.classes.iter().zip(&labels.of_class) {
            regions[class.region].label = label;
            regions[class.region].size = class.variables.len();
        }
        let hole = |(place, &region): (usize, &usize)| Hole {
            region,
            labels: labels.of_hole[place],
        };
        let holes: Vec<Hole> = tree.hole_regions.iter().enumerate().map(hole).collect();
        let shape = Shape::new(regions, holes);
        // In the order of their first use: the program as it is stands for
        // its own pattern.
        let mut first_use: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, &hole) in shape.counting_order().iter().enumerate() {
            let variable = self.outline.uses[uses[hole]].variable;
            first_use.entry(variable).or_insert(at);
        }
        tree.classes.sort_by_key(|class| class.region);
        let mut slots = Vec::new();
        for class in &mut tree.classes {
            class
                .variables
                .sort_by_key(|variable| first_use.get(variable).copied().unwrap_or(usize::MAX));
            slots.extend(&class.variables);
        }
        let slot_of: BTreeMap<usize, u32> = slots
            .iter()
            .enumerate()
            .map(|(slot, &variable)| (variable, slot as u32))
            .collect();
        let original = uses
            .iter()
            .map(|&place| slot_of[&self.outline.uses[place].variable])
            .collect();
        let paper_shape = self.paper_shape(&uses, &slots);
        Planned {
            shape,
            paper_shape,
            uses,
            slots,
            original,
        }
    }

    /// Global variables, parameters and what a function's outermost block
    /// declares are one class of the paper's; every scope below has its own.
    /// The order of declarations does not matter there.
    fn paper_shape(&self, uses: &[usize], variables: &[usize]) -> Shape {
        let scopes = &self.outline.scopes;
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut regions = vec![Region {
            parent: None,
            label: 0,
            size: 0,
        }];
        let mut number_of = |scope: usize, regions: &mut Vec<Region>| -> usize {
            let mut path = Vec::new();
            let mut around = Some(scope);
            while let Some(scope) = around {
                path.push(scope);
                around = scopes[scope].parent;
            }
            let (mut last, mut inside) = (0, false);
            for scope in path.into_iter().rev() {
                let outermost = scopes[scope]
                    .parent
                    .is_some_and(|parent| scopes[parent].function);
                // A function inside of a block sees what the block declares.
                let shared = match scopes[scope].function {
                    true => last == 0,
                    false => !inside || outermost,
                };
                inside |= scopes[scope].function;
                if shared {
                    continue;
                }
                last = *numbers.entry(scope).or_insert_with(|| {
                    regions.push(Region {
                        parent: Some(last),
                        label: 0,
                        size: 0,
                    });
                    regions.len() - 1
                });
            }
            last
        };
        for &variable in variables {
            let region = number_of(self.outline.variables[variable].scope, &mut regions);
            regions[region].size += 1;
        }
        let mut holes = Vec::new();
        for &place in uses {
            let region = number_of(self.outline.uses[place].scope, &mut regions);
            holes.push(Hole { region, labels: 1 });
        }
        Shape::new(regions, holes)
    }
}

/// Scopes as regions: a declaration after a hole begins a region of its own,
/// since the hole does not see it.
struct RegionTree {
    parents: Vec<Option<usize>>,
    classes: Vec<Class>,
    /// The region of each hole.
    hole_regions: Vec<usize>,
    /// One past the last region inside each region, by number.
    holes_inside: Vec<Vec<usize>>,
}

/// What happens in a scope, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Declares(usize),
    Hole(usize),
    Opens(usize),
}

impl RegionTree {
    fn grow(plan: &Plan<'_>, variables: &[usize], uses: &[usize]) -> RegionTree {
        let outline = plan.outline;
        let mut events: BTreeMap<usize, Vec<(usize, Event)>> = BTreeMap::new();
        for &variable in variables {
            let declared = &outline.variables[variable];
            let list = events.entry(declared.scope).or_default();
            list.push((declared.from, Event::Declares(variable)));
        }
        let mut opened: BTreeMap<usize, ()> = BTreeMap::new();
        for (hole, &place) in uses.iter().enumerate() {
            let place = &outline.uses[place];
            let list = events.entry(place.scope).or_default();
            list.push((place.range.start, Event::Hole(hole)));
            let mut scope = place.scope;
            while let Some(parent) = outline.scopes[scope].parent {
                if opened.insert(scope, ()).is_some() {
                    break;
                }
                let list = events.entry(parent).or_default();
                list.push((outline.scopes[scope].range.start, Event::Opens(scope)));
                scope = parent;
            }
        }
        let mut tree = RegionTree {
            parents: vec![None],
            classes: Vec::new(),
            hole_regions: vec![0; uses.len()],
            holes_inside: Vec::new(),
        };
        let mut entry: BTreeMap<usize, usize> = BTreeMap::from([(0, 0)]);
        // Scopes come before those inside them.
        for (scope, mut list) in events {
            let Some(&region) = entry.get(&scope) else {
                continue;
            };
            list.sort_unstable();
            tree.walk_scope(plan, uses, region, &list, &mut entry);
        }
        tree.find_holes_inside();
        tree.find_takers(plan, uses);
        tree
    }

    fn walk_scope(
        &mut self,
        plan: &Plan<'_>,
        uses: &[usize],
        mut region: usize,
        events: &[(usize, Event)],
        entry: &mut BTreeMap<usize, usize>,
    ) {
        let mut pending: Vec<usize> = Vec::new();
        for (_, event) in events {
            match event {
                Event::Declares(variable) => pending.push(*variable),
                Event::Hole(_) | Event::Opens(_) if !pending.is_empty() => {
                    region = self.add_classes(plan, uses, region, &pending);
                    pending.clear();
                }
                _ => {}
            }
            match event {
                Event::Hole(hole) => self.hole_regions[*hole] = region,
                Event::Opens(scope) => {
                    entry.insert(*scope, region);
                }
                Event::Declares(_) => {}
            }
        }
    }

    /// A chain of regions, one for each class of these variables; returns
    /// the last.
    fn add_classes(
        &mut self,
        plan: &Plan<'_>,
        uses: &[usize],
        mut region: usize,
        variables: &[usize],
    ) -> usize {
        let mut groups: BTreeMap<(String, Vec<bool>), Vec<usize>> = BTreeMap::new();
        let mut order: Vec<(String, Vec<bool>)> = Vec::new();
        for &variable in variables {
            let declared = &plan.outline.variables[variable];
            let text = match plan.options.classes {
                Classes::Paper => declared.type_text.clone(),
                Classes::Strict => format!("{} : {}", declared.type_text, declared.declaration),
            };
            // Which holes take it, in all: interchangeable variables have
            // the same.
            let takes = |&place: &usize| plan.takes(&plan.outline.uses[place], variable);
            let key = (text, uses.iter().map(takes).collect::<Vec<bool>>());
            let group = groups.entry(key.clone()).or_default();
            if group.is_empty() {
                order.push(key);
            }
            group.push(variable);
        }
        for key in order {
            self.parents.push(Some(region));
            region = self.parents.len() - 1;
            self.classes.push(Class {
                variables: groups.remove(&key).unwrap_or_default(),
                region,
                takers: Vec::new(),
            });
        }
        region
    }

    fn find_holes_inside(&mut self) {
        self.holes_inside = vec![Vec::new(); self.parents.len()];
        for (hole, &region) in self.hole_regions.iter().enumerate() {
            let mut around = Some(region);
            while let Some(region) = around {
                self.holes_inside[region].push(hole);
                around = self.parents[region];
            }
        }
    }

    fn find_takers(&mut self, plan: &Plan<'_>, uses: &[usize]) {
        for class in &mut self.classes {
            let takes =
                |&hole: &usize| plan.takes(&plan.outline.uses[uses[hole]], class.variables[0]);
            class.takers = self.holes_inside[class.region].iter().map(takes).collect();
        }
    }
}

/// Labels for classes, and the sets of labels that holes take.
struct Labelled {
    of_class: Vec<u8>,
    of_hole: Vec<Labels>,
}

/// Classes share a label as long as no hole takes the one and leaves the
/// other.
fn label_classes(tree: &RegionTree) -> Result<Labelled, TooWide> {
    // What each label means to each hole, as far as it does.
    let mut meanings: Vec<BTreeMap<usize, bool>> = Vec::new();
    let mut of_class = Vec::new();
    for class in &tree.classes {
        let inside = &tree.holes_inside[class.region];
        let fits = |meaning: &BTreeMap<usize, bool>| {
            let agrees = |(hole, takes): (&usize, &bool)| {
                meaning.get(hole).is_none_or(|known| known == takes)
            };
            inside.iter().zip(&class.takers).all(agrees)
        };
        let label = meanings.iter().position(fits).unwrap_or_else(|| {
            meanings.push(BTreeMap::new());
            meanings.len() - 1
        });
        meanings[label].extend(inside.iter().copied().zip(class.takers.iter().copied()));
        of_class.push(
            u8::try_from(label)
                .ok()
                .filter(|&label| label < 64)
                .ok_or(TooWide)?,
        );
    }
    let mut of_hole: Vec<Labels> = vec![0; tree.hole_regions.len()];
    for (label, meaning) in meanings.iter().enumerate() {
        for (&hole, _) in meaning.iter().filter(|(_, takes)| **takes) {
            of_hole[hole] |= 1 << label;
        }
    }
    Ok(Labelled { of_class, of_hole })
}
