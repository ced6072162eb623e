//! Strategy `equivalent`: variants of profiled contracts.

use std::collections::BTreeMap;
use std::sync::Arc;

use dashu_int::IBig;
use lydite_core::version::Version;
use lydite_core::{
    Case, Choices, Claim, Language, OpenError, Program, Reject, SEED_ARM, Seed, SeedNeed, Setting,
    Settings, SourceFile, Space, Strategy,
};

use super::draw::{Live, Name, vocabulary};
use super::grown::{has_marks, marked};
use super::outline::{Outline, Point, Variable};
use super::profile::Profile;
use super::snippet::{Mutation, Site, Snippet, project};
use crate::generate::Vocabulary;
use crate::interpret::Arithmetic;

/// Makes variants of contracts that have a profile.
#[derive(Debug)]
pub struct Equivalent;

const SETTINGS: &[Setting] = &[
    Setting::value(
        "variants",
        "2",
        "how many variants a case has at most, each with more new code than the last",
    ),
    Setting::value(
        "rounds",
        "4",
        "how many pieces of code a variant gets at most",
    ),
    Setting::value("depth", "3", "how deep new expressions are nested"),
    Setting::value(
        "mutations",
        "all",
        "which mutations are used: all, or some of false-block, true-guard, true-block",
    ),
];

/// A contract that code can be put into.
#[derive(Debug)]
struct Stock {
    seed: Seed,
    source: String,
    transactions: String,
    arithmetic: Arithmetic,
    vocabulary: Vocabulary,
    /// What new names begin with: nothing in the text does.
    prefix: String,
    /// The text has no marks of its own.
    markable: bool,
    places: Vec<Place>,
    /// The numbers of those that were reached.
    reached: Vec<usize>,
}

/// A point of which every environment is known.
#[derive(Debug)]
struct Place {
    point: Point,
    variables: Vec<Variable>,
    environments: Vec<Vec<IBig>>,
}

struct Variants {
    stocks: Vec<Stock>,
    /// The numbers of their seeds among all.
    numbers: Vec<usize>,
    variants: u64,
    rounds: u64,
    depth: u64,
    mutations: Vec<Mutation>,
}

impl Strategy for Equivalent {
    fn name(&self) -> &'static str {
        "equivalent"
    }

    fn about(&self) -> &'static str {
        "contracts and variants with new code that must not change what their transactions show"
    }

    fn language(&self) -> Option<&'static str> {
        Some("solidity")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    /// Most of the text is the seed's author's.
    fn makes_programs(&self) -> bool {
        false
    }

    fn open(
        &self,
        _: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let (mut stocks, mut numbers) = (Vec::new(), Vec::new());
        let mut first = None;
        for (number, seed) in seeds.iter().enumerate() {
            match Stock::read(seed) {
                Ok(stock) => {
                    stocks.push(stock);
                    numbers.push(number);
                }
                Err(why) => {
                    first.get_or_insert(format!("{}: {why}", seed.name));
                }
            }
        }
        if stocks.is_empty() {
            let why = first.unwrap_or_else(|| "there are no seeds".to_string());
            return Err(OpenError::Seeds(format!("no seed can be varied; {why}")));
        }
        let number = |key: &str, default| settings.read(key, "a number from 1 on", default);
        let variants: u64 = number("variants", 2)?;
        let rounds: u64 = number("rounds", 4)?;
        Ok(Box::new(Variants {
            stocks,
            numbers,
            variants: variants.clamp(1, 64),
            rounds: rounds.clamp(1, 256),
            depth: number("depth", 3)?.clamp(1, 8),
            mutations: mutations(settings.get("mutations").unwrap_or("all"))?,
        }))
    }
}

fn mutations(words: &str) -> Result<Vec<Mutation>, OpenError> {
    let all = [
        Mutation::FalseBlock,
        Mutation::TrueGuard,
        Mutation::TrueBlock,
    ];
    if words == "all" {
        return Ok(all.to_vec());
    }
    let named = |word: &str| {
        all.into_iter()
            .find(|one| one.name().replace(' ', "-") == word)
    };
    let found: Option<Vec<Mutation>> = words.split(',').map(|word| named(word.trim())).collect();
    found.ok_or_else(|| OpenError::BadSetting {
        key: "mutations".to_string(),
        value: words.to_string(),
        expected: "all, or some of false-block, true-guard, true-block".to_string(),
    })
}

impl Stock {
    fn read(seed: &Seed) -> Result<Stock, String> {
        let text = std::str::from_utf8(&seed.text).map_err(|_| "not UTF-8".to_string())?;
        let (source, profile) = Profile::detach(text).map_err(|error| error.to_string())?;
        let outline = Outline::of(source.as_bytes()).map_err(|error| error.to_string())?;
        let mut places = Vec::new();
        let mut reached = Vec::new();
        for point in outline.points {
            let seen = profile.points.get(&point.offset);
            let (variables, environments) = match seen {
                None => (point.variables.clone(), Vec::new()),
                Some(seen) => {
                    let Some(environments) = &seen.environments else {
                        continue;
                    };
                    let column = |variable: &Variable| {
                        seen.variables
                            .iter()
                            .position(|name| *name == variable.name)
                    };
                    let known = point.variables.iter().filter(|one| column(one).is_some());
                    let known: Vec<Variable> = known.cloned().collect();
                    let columns: Vec<usize> = known.iter().filter_map(column).collect();
                    reached.push(places.len());
                    (known, project(environments, &columns))
                }
            };
            places.push(Place {
                point,
                variables,
                environments,
            });
        }
        if places.is_empty() {
            return Err("there is no statement that code could stand before".to_string());
        }
        let mut prefix = "z_".to_string();
        while source.contains(&prefix) {
            prefix.push('z');
            prefix.push('_');
        }
        let version = Version::new(&profile.solc);
        let vocabulary = vocabulary(&profile.solc).map_err(|_| "no such version".to_string())?;
        Ok(Stock {
            vocabulary,
            seed: seed.clone(),
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
        })
    }

    fn program(&self, text: String) -> Program {
        let mut program = Program::single("case.sol", text.into_bytes());
        program.files.push(SourceFile {
            name: "case.tx".to_string(),
            text: self.transactions.clone().into_bytes().into(),
        });
        program
    }

    /// The text with code at some places. Code that comes later stands closer
    /// to its statement.
    fn with(&self, snippets: &[(usize, Snippet)]) -> String {
        let piece = |text: &str| match self.markable {
            true => marked(text),
            false => text.to_string(),
        };
        let mut edits: BTreeMap<usize, (String, String)> = BTreeMap::new();
        for (place, snippet) in snippets {
            let point = &self.places[*place].point;
            edits
                .entry(point.offset)
                .or_default()
                .1
                .push_str(&piece(&snippet.before));
            let behind = &mut edits.entry(point.end).or_default().0;
            *behind = format!("{}{behind}", piece(&snippet.behind));
        }
        let mut text = String::new();
        let mut done = 0;
        for (offset, (behind, before)) in edits {
            text.push_str(&self.source[done..offset]);
            text.push_str(&behind);
            text.push_str(&before);
            done = offset;
        }
        text.push_str(&self.source[done..]);
        text
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.source[..offset].matches('\n').count()
    }
}

impl Variants {
    /// Draws where code goes, and the code.
    fn snippet(
        &self,
        stock: &Stock,
        count: usize,
        choices: &mut Choices,
    ) -> Result<(usize, Mutation, Snippet), Reject> {
        // Code that is never reached tells something of compilers only.
        let number = match !stock.reached.is_empty() && choices.chance(7, 8)? {
            true => *choices.pick(&stock.reached)?,
            false => choices.index(stock.places.len())?,
        };
        let Place {
            point,
            variables,
            environments,
        } = &stock.places[number];
        let mut mutation = *choices.pick(&self.mutations)?;
        if mutation == Mutation::TrueGuard && !point.guardable {
            mutation = Mutation::FalseBlock;
        }
        let names = variables.iter().map(|variable| Name {
            name: variable.name.clone(),
            kind: variable.kind,
        });
        let of = Site {
            variables,
            live: Live::new(
                names.collect(),
                environments.clone(),
                stock.arithmetic,
                &stock.vocabulary,
            ),
            crowd: point.variables.iter().filter(|one| !one.is_state).count(),
            prefix: format!("{}{count}", stock.prefix),
            depth: self.depth,
        };
        Ok((number, mutation, of.snippet(mutation, choices)?))
    }
}

impl Space for Variants {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let stock = &self.stocks[choices.arm_of(SEED_ARM, &self.numbers)?];
        let mut programs = vec![stock.program(stock.source.clone())];
        let mut steps = Vec::new();
        let mut snippets = Vec::new();
        for _ in 0..1 + choices.below(self.variants)? {
            let mut done = Vec::new();
            for _ in 0..1 + choices.below(self.rounds)? {
                let (place, mutation, snippet) = self.snippet(stock, snippets.len(), choices)?;
                let line = stock.line(stock.places[place].point.offset);
                done.push(format!("{} at line {line}", mutation.name()));
                snippets.push((place, snippet));
            }
            programs.push(stock.program(stock.with(&snippets)));
            steps.push(done.join(", "));
        }
        let case = Case {
            programs,
            claim: Claim::Equivalent,
            steps,
            seeds: Vec::new(),
        };
        Ok(case.made_from([&stock.seed]))
    }
}
