//! A contract with its profile, ready for new code: where it may stand, and what is known
//! there. Whoever has a text and a profile makes variants of it with [`Variation`].

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use dashu_int::IBig;
use lydite_core::version::Version;
use lydite_core::{Choices, OpenError, Program, Reject, Seed, Setting, Settings, SourceFile};

use super::draw::{Live, Name, vocabulary};
use super::grown::{can_be_cut, cut, has_marks, marked};
use super::outline::{Held, Outline, Point, Use, Variable};
use super::profile::Profile;
use super::snippet::{Mutation, Site, Snippet, project};
use crate::generate::Vocabulary;
use crate::interpret::Arithmetic;
use crate::types::Elementary;

/// A contract that code can be put into.
#[derive(Debug)]
pub(crate) struct Stock {
    source: String,
    transactions: String,
    arithmetic: Arithmetic,
    vocabulary: Vocabulary,
    /// Functions can be `pure`.
    calls: bool,
    /// What new names begin with: nothing in the text does.
    prefix: String,
    /// The text has no marks of its own.
    markable: bool,
    places: Vec<Place>,
    /// The numbers of those that were reached.
    reached: Vec<usize>,
    /// The numbers of those whose statement may go.
    dead: Vec<usize>,
    points: Vec<Point>,
    /// Where variables are read.
    uses: Vec<Use>,
}

/// How variants are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Variation {
    /// How many variants there are at most, each with more changes than the last.
    pub(crate) variants: u64,
    /// How many changes a variant has at most.
    rounds: u64,
    depth: u64,
    mutations: Vec<Mutation>,
}

/// The setting that says which mutations are used.
pub(crate) const MUTATIONS: Setting = Setting::value(
    "mutations",
    "all",
    "which mutations are used: all, or some of false-block, true-guard, true-block, identity, deletion",
);

impl Variation {
    /// What the settings ask for.
    pub(crate) fn read(settings: &Settings, variants: u64) -> Result<Variation, OpenError> {
        let number = |key: &str, default| settings.read(key, "a number from 1 on", default);
        Ok(Variation {
            variants: number("variants", variants)?.clamp(variants.min(1), 64),
            rounds: number("rounds", 4)?.clamp(1, 256),
            depth: number("depth", 3)?.clamp(1, 8),
            mutations: mutations(settings.get("mutations").unwrap_or("all"))?,
        })
    }
}

fn mutations(words: &str) -> Result<Vec<Mutation>, OpenError> {
    if words == "all" {
        return Ok(Mutation::ALL.to_vec());
    }
    let named = |word: &str| {
        let mut all = Mutation::ALL.into_iter();
        all.find(|one| one.name().replace(' ', "-") == word)
    };
    let found: Option<Vec<Mutation>> = words.split(',').map(|word| named(word.trim())).collect();
    found.ok_or_else(|| OpenError::BadSetting {
        key: "mutations".to_string(),
        value: words.to_string(),
        expected: "all, or some of false-block, true-guard, true-block, identity, deletion"
            .to_string(),
    })
}

/// A change, and where it is made.
struct Change {
    range: Range<usize>,
    snippet: Snippet,
    /// Where functions go.
    function_end: usize,
}

/// A point of which every environment is known.
#[derive(Debug)]
struct Place {
    point: Point,
    variables: Vec<Variable>,
    environments: Vec<Vec<IBig>>,
}

impl Place {
    /// Nothing if it is not known what was seen there.
    fn of(point: &Point, profile: &Profile) -> Option<Place> {
        let (variables, environments) = match profile.points.get(&point.offset) {
            None => (point.variables.clone(), Vec::new()),
            Some(seen) => {
                let column = |variable: &Variable| {
                    let mut names = seen.variables.iter();
                    names.position(|name| *name == variable.name)
                };
                let known = point.variables.iter().filter(|one| column(one).is_some());
                let known: Vec<Variable> = known.cloned().collect();
                let columns: Vec<usize> = known.iter().filter_map(column).collect();
                (known, project(seen.environments.as_ref()?, &columns))
            }
        };
        Some(Place {
            point: point.clone(),
            variables,
            environments,
        })
    }
}

impl Change {
    /// One of them takes away what the other one is about.
    fn collides(&self, other: &Change) -> bool {
        let takes = |outer: &Change, inner: &Change| {
            outer.snippet.cuts
                && outer.range.start <= inner.range.start
                && inner.range.end <= outer.range.end
                && (inner.snippet.cuts || outer.range != inner.range)
        };
        takes(self, other) || takes(other, self)
    }
}

impl Stock {
    pub(super) fn read(seed: &Seed) -> Result<Stock, String> {
        let text = std::str::from_utf8(&seed.text).map_err(|_| "not UTF-8".to_string())?;
        let (source, profile) = Profile::detach(text).map_err(|error| error.to_string())?;
        Stock::of(source, profile)
    }

    /// A text of which this was seen.
    pub(crate) fn of(source: &str, profile: Profile) -> Result<Stock, String> {
        let outline = Outline::of(source.as_bytes()).map_err(|error| error.to_string())?;
        let mut places = Vec::new();
        let mut reached = Vec::new();
        let mut dead = Vec::new();
        for point in &outline.points {
            let was_reached = profile.points.contains_key(&point.offset);
            let Some(place) = Place::of(point, &profile) else {
                continue;
            };
            match was_reached {
                true => reached.push(places.len()),
                false if point.guardable && can_be_cut(&source[point.offset..point.end]) => {
                    dead.push(places.len());
                }
                false => {}
            }
            places.push(place);
        }
        if places.is_empty() {
            return Err("there is no statement that code could stand before".to_string());
        }
        let is_plain = |one: &Use| {
            let variable = &outline.points[one.point].variables[one.variable];
            variable.kind != Elementary::PAYABLE
        };
        let uses = outline.uses.into_iter().filter(is_plain).collect();
        let mut prefix = "z_".to_string();
        while source.contains(&prefix) {
            prefix.push('z');
            prefix.push('_');
        }
        let version = Version::new(&profile.solc);
        let vocabulary = vocabulary(&profile.solc).map_err(|_| "no such version".to_string())?;
        Ok(Stock {
            calls: version >= Version::new("0.4.17"),
            vocabulary,
            source: source.to_string(),
            transactions: profile.transactions,
            arithmetic: Arithmetic {
                checked: version >= Version::new("0.8.0"),
                shift_rounds_down: version >= Version::new("0.5.0"),
            },
            prefix,
            markable: !has_marks(source),
            places,
            reached,
            dead,
            points: outline.points,
            uses,
        })
    }

    /// The contract as it was.
    pub(super) fn original(&self) -> Program {
        self.program(self.source.clone())
    }

    fn program(&self, text: String) -> Program {
        let mut program = Program::single("case.sol", text.into_bytes());
        program.files.push(SourceFile {
            name: "case.tx".to_string(),
            text: self.transactions.clone().into_bytes().into(),
        });
        program
    }

    /// The text with changes. Those that come later stand closer to what they are about.
    fn with(&self, changes: &[Change]) -> String {
        let piece = |text: &str| match self.markable {
            true => marked(text),
            false => text.to_string(),
        };
        let mut kept: Vec<&Change> = changes.iter().collect();
        // What is around something else stands outside of it.
        kept.sort_by_key(|change| Reverse(change.range.len()));
        let mut edits: BTreeMap<usize, (String, String)> = BTreeMap::new();
        for Change {
            range,
            snippet,
            function_end,
        } in &kept
        {
            let before = &mut edits.entry(range.start).or_default().1;
            before.push_str(&piece(&snippet.before));
            let behind = &mut edits.entry(range.end).or_default().0;
            *behind = format!("{}{behind}", piece(&snippet.behind));
            let functions = &mut edits.entry(*function_end).or_default().0;
            functions.push_str(&piece(&snippet.functions));
        }
        let gone: BTreeMap<usize, usize> = kept
            .iter()
            .filter(|change| change.snippet.cuts)
            .map(|change| (change.range.start, change.range.end))
            .collect();
        let mut text = String::new();
        let mut done = 0;
        for (offset, (behind, before)) in edits {
            text.push_str(&self.source[done..offset]);
            text.push_str(&behind);
            text.push_str(&before);
            done = offset;
            if let Some(end) = gone.get(&offset) {
                if self.markable {
                    text.push_str(&cut(&self.source[offset..*end]));
                }
                done = *end;
            }
        }
        text.push_str(&self.source[done..]);
        text
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.source[..offset].matches('\n').count()
    }
    /// Draws the contract's variants, and the changes that make each.
    pub(crate) fn variants(
        &self,
        variation: &Variation,
        choices: &mut Choices,
    ) -> Result<Vec<(Program, String)>, Reject> {
        let mut made = Vec::new();
        let mut changes = Vec::new();
        for _ in 0..1 + choices.below(variation.variants)? {
            let mut steps = Vec::new();
            for _ in 0..1 + choices.below(variation.rounds)? {
                let (mutation, change) = self.change(variation, changes.len(), choices)?;
                if changes.iter().any(|other| change.collides(other)) {
                    continue;
                }
                let line = self.line(change.range.start);
                steps.push(format!("{} at line {line}", mutation.name()));
                changes.push(change);
            }
            if !steps.is_empty() {
                made.push((self.program(self.with(&changes)), steps.join(", ")));
            }
        }
        Ok(made)
    }

    /// Draws where a change is made, and what is changed.
    fn change(
        &self,
        variation: &Variation,
        count: usize,
        choices: &mut Choices,
    ) -> Result<(Mutation, Change), Reject> {
        let mutation = *choices.pick(&variation.mutations)?;
        let prefix = format!("{}{count}", self.prefix);
        if mutation == Mutation::Identity && !self.uses.is_empty() {
            let found = choices.pick(&self.uses)?;
            let point = &self.points[found.point];
            let site = self.site(point, &point.variables, &[], &prefix, variation.depth);
            let change = Change {
                range: found.offset..found.end,
                snippet: site.identity(found.variable, choices)?,
                function_end: point.function_end,
            };
            return Ok((mutation, change));
        }
        let number = match mutation {
            Mutation::Deletion if !self.dead.is_empty() => *choices.pick(&self.dead)?,
            // Code that is never reached tells something of compilers only.
            _ if !self.reached.is_empty() && choices.chance(7, 8)? => {
                *choices.pick(&self.reached)?
            }
            _ => choices.index(self.places.len())?,
        };
        let place = &self.places[number];
        let point = &place.point;
        let mutation = match mutation {
            Mutation::Identity => Mutation::TrueBlock,
            Mutation::Deletion if self.dead.is_empty() => Mutation::FalseBlock,
            Mutation::TrueGuard if !point.guardable => Mutation::FalseBlock,
            mutation => mutation,
        };
        let depth = variation.depth;
        let site = self.site(point, &place.variables, &place.environments, &prefix, depth);
        let change = Change {
            range: point.offset..point.end,
            snippet: site.snippet(mutation, choices)?,
            function_end: point.function_end,
        };
        Ok((mutation, change))
    }

    fn site<'a>(
        &'a self,
        point: &Point,
        variables: &'a [Variable],
        environments: &[Vec<IBig>],
        prefix: &'a str,
        depth: u64,
    ) -> Site<'a> {
        let names = variables.iter().map(|variable| Name {
            name: variable.name.clone(),
            kind: variable.kind,
        });
        let mut live = Live::new(
            names.collect(),
            environments.to_vec(),
            self.arithmetic,
            &self.vocabulary,
            prefix,
        );
        live.calls = self.calls;
        let on_stack = |one: &&Variable| one.held == Held::Stack;
        Site {
            variables,
            live,
            crowd: point.variables.iter().filter(on_stack).count(),
            prefix,
            depth,
            is_free: point.is_free,
        }
    }
}
