//! What was reached of a processor's source: lines, functions and branches.

use std::collections::BTreeMap;

use serde::Serialize;

/// What was reached of a source, by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    files: BTreeMap<String, FileReach>,
}

/// What was reached of one file; false is what is there and was not reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileReach {
    pub(super) lines: BTreeMap<u32, bool>,
    pub(super) functions: BTreeMap<String, bool>,
    /// By line and number in the line.
    pub(super) branches: BTreeMap<(u32, u32), bool>,
}

/// How many were reached, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Portion {
    /// The number that were reached.
    pub reached: u64,
    /// The number that there are.
    pub all: u64,
}

/// The shares of lines, functions and branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Portions {
    /// Lines of code.
    pub lines: Portion,
    /// Functions.
    pub functions: Portion,
    /// Ways on from a condition.
    pub branches: Portion,
}

impl Portion {
    fn of<K>(all: &BTreeMap<K, bool>) -> Portion {
        Portion {
            reached: all.values().filter(|reached| **reached).count() as u64,
            all: all.len() as u64,
        }
    }

    fn add(&mut self, other: Portion) {
        self.reached += other.reached;
        self.all += other.all;
    }

    /// In per cent; 0 of nothing.
    pub fn percent(&self) -> f64 {
        match self.all {
            0 => 0.0,
            all => 100.0 * self.reached as f64 / all as f64,
        }
    }
}

impl Portions {
    fn of(file: &FileReach) -> Portions {
        Portions {
            lines: Portion::of(&file.lines),
            functions: Portion::of(&file.functions),
            branches: Portion::of(&file.branches),
        }
    }

    fn add(&mut self, other: Portions) {
        self.lines.add(other.lines);
        self.functions.add(other.functions);
        self.branches.add(other.branches);
    }
}

impl Reach {
    /// Adds what a part of the program says of a file: several may have the
    /// same header.
    pub(super) fn add(&mut self, file: &str, reach: FileReach) {
        let known = self.files.entry(file.to_string()).or_default();
        join(&mut known.lines, reach.lines);
        join(&mut known.functions, reach.functions);
        join(&mut known.branches, reach.branches);
    }

    /// What one or the other has reached.
    pub fn join(&mut self, other: &Reach) {
        for (file, reach) in &other.files {
            self.add(file, reach.clone());
        }
    }

    /// The shares of the whole source.
    pub fn shares(&self) -> Portions {
        let mut sum = Portions::default();
        self.files
            .values()
            .for_each(|file| sum.add(Portions::of(file)));
        sum
    }

    /// The shares by folder of the source.
    pub fn folders(&self) -> BTreeMap<String, Portions> {
        let mut folders: BTreeMap<String, Portions> = BTreeMap::new();
        for (file, reach) in &self.files {
            let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
            let sum = folders.entry(folder.to_string()).or_default();
            sum.add(Portions::of(reach));
        }
        folders
    }

    /// The lines of each file that `others` have not reached; files without
    /// any are left out.
    pub fn lines_beyond(&self, others: &Reach) -> BTreeMap<String, Vec<u32>> {
        let mut beyond = BTreeMap::new();
        for (file, reach) in &self.files {
            let known = others.files.get(file);
            let reached = |line: &u32| {
                known.is_some_and(|file| file.lines.get(line).copied().unwrap_or(false))
            };
            let own = reach.lines.iter().filter(|(_, reached)| **reached);
            let lines: Vec<u32> = own
                .map(|(line, _)| *line)
                .filter(|line| !reached(line))
                .collect();
            if !lines.is_empty() {
                beyond.insert(file.clone(), lines);
            }
        }
        beyond
    }
}

fn join<K: Ord>(known: &mut BTreeMap<K, bool>, more: BTreeMap<K, bool>) {
    for (key, reached) in more {
        *known.entry(key).or_default() |= reached;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(lines: &[(u32, bool)]) -> Reach {
        let mut reach = Reach::default();
        let file = FileReach {
            lines: lines.iter().copied().collect(),
            functions: BTreeMap::from([("f".to_string(), lines.iter().any(|line| line.1))]),
            branches: BTreeMap::new(),
        };
        reach.add("src/a.c", file);
        reach
    }

    #[test]
    fn what_either_reached_is_reached_by_both_together() {
        let mut both = reach(&[(1, true), (2, false), (3, false)]);
        both.join(&reach(&[(1, false), (2, true), (3, false)]));
        let shares = both.shares();
        assert_eq!((shares.lines.reached, shares.lines.all), (2, 3));
        assert_eq!((shares.functions.reached, shares.functions.all), (1, 1));
        assert_eq!(both.folders()["src"], shares);
    }

    #[test]
    fn lines_beyond_others_are_those_that_they_have_not_reached() {
        let own = reach(&[(1, true), (2, true), (3, false)]);
        let others = reach(&[(1, true), (2, false), (3, true)]);
        let beyond = own.lines_beyond(&others);
        assert_eq!(beyond, BTreeMap::from([("src/a.c".to_string(), vec![2])]));
        assert_eq!(own.lines_beyond(&Reach::default())["src/a.c"], [1, 2]);
    }
}
