//! Programs with pieces of others, as a space of cases.

use std::collections::BTreeMap;
use std::ops::Range;

use lydite_core::{Case, Choices, Claim, OpenError, Program, Reject, SEED_ARM, Seed, Space};

use super::pieces::{Numbers, Piece, Source};
use crate::extract::{Dialect, Variable};

/// How often another piece is drawn if the one that was drawn changes nothing.
const ATTEMPTS: usize = 8;

/// Where a piece is: the source, and its number there.
type PieceId = (usize, usize);

/// What was drawn for one place of a program.
struct Replacement {
    range: Range<usize>,
    text: Vec<u8>,
    source: usize,
}

pub(crate) struct SpliceSpace {
    /// The seeds that could be read.
    seeds: Vec<Seed>,
    sources: Vec<Source>,
    /// All pieces by what they are, and by what they are to the node around
    /// them. Kinds and positions have different numbers.
    pools: BTreeMap<u32, Vec<PieceId>>,
    /// The places of each source by position.
    places: Vec<Vec<Vec<usize>>>,
    most: u64,
    /// The file name of every program.
    file: String,
}

impl SpliceSpace {
    pub(crate) fn read(
        dialect: &Dialect,
        all: &[Seed],
        most: u64,
        extension: &str,
    ) -> Result<SpliceSpace, OpenError> {
        let mut numbers = Numbers::default();
        let mut space = SpliceSpace {
            seeds: Vec::new(),
            sources: Vec::new(),
            pools: BTreeMap::new(),
            places: Vec::new(),
            most,
            file: format!("case.{extension}"),
        };
        let mut refusal = None;
        for seed in all {
            match Source::read(dialect, &seed.text, &mut numbers) {
                Ok(source) if source.pieces.is_empty() => {}
                Ok(source) => space.add(seed, source),
                Err(why) => {
                    refusal.get_or_insert(format!("{}: {why}", seed.name));
                }
            }
        }
        match space.sources.is_empty() {
            true => Err(OpenError::Seeds(match refusal {
                Some(why) => format!("no seed can be read; {why}"),
                None => "no seed has a piece that could be replaced".to_string(),
            })),
            false => Ok(space),
        }
    }

    fn add(&mut self, seed: &Seed, source: Source) {
        let number = self.sources.len();
        let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (at, piece) in source.pieces.iter().enumerate() {
            self.pools.entry(piece.kind).or_default().push((number, at));
            self.pools
                .entry(piece.position)
                .or_default()
                .push((number, at));
            places.entry(piece.position).or_default().push(at);
        }
        self.places.push(places.into_values().collect());
        self.seeds.push(seed.clone());
        self.sources.push(source);
    }

    /// One place of a program and what comes there. Positions are equally
    /// likely, since most nodes are names.
    fn draw(&self, host: usize, choices: &mut Choices) -> Result<Option<Replacement>, Reject> {
        let places = choices.pick(&self.places[host])?;
        let host = &self.sources[host];
        let place = &host.pieces[*choices.pick(places)?];
        let pool = match choices.chance(1, 2)? {
            false => place.kind,
            true => place.position,
        };
        let visible = host.visible(place.range.start);
        for _ in 0..ATTEMPTS {
            let &(source, at) = choices.pick(&self.pools[&pool])?;
            let piece = &self.sources[source].pieces[at];
            let text = fit(&self.sources[source], piece, host, &visible, choices)?;
            if text != host.outline.text[place.range.clone()] {
                let range = place.range.clone();
                return Ok(Some(Replacement {
                    range,
                    text,
                    source,
                }));
            }
        }
        Ok(None)
    }

    fn render(&self, host: usize, replacements: &[Replacement]) -> Vec<u8> {
        let whole = &self.sources[host].outline.text;
        let mut text = Vec::with_capacity(whole.len() + 256);
        let mut done = 0;
        for one in replacements {
            text.extend_from_slice(&whole[done..one.range.start]);
            text.extend_from_slice(&one.text);
            done = one.range.end;
        }
        text.extend_from_slice(&whole[done..]);
        text
    }
}

impl Space for SpliceSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let host = choices.arm(SEED_ARM, self.sources.len())?;
        let count = choices.between(1, self.most)?;
        let mut drawn: Vec<Replacement> = Vec::new();
        for _ in 0..count {
            let Some(one) = self.draw(host, choices)? else {
                continue;
            };
            let apart = |other: &Replacement| {
                other.range.end <= one.range.start || one.range.end <= other.range.start
            };
            if drawn.iter().all(apart) {
                drawn.push(one);
            }
        }
        if drawn.is_empty() {
            return Err(Reject::NotApplicable("no piece that differs fits"));
        }
        drawn.sort_by_key(|one| one.range.start);
        let program = Program::single(self.file.as_str(), self.render(host, &drawn));
        let mut used = vec![host];
        for one in &drawn {
            if !used.contains(&one.source) {
                used.push(one.source);
            }
        }
        let seeds = used.iter().map(|&source| &self.seeds[source]);
        let mut case = Case::single(program, Claim::Silent).made_from(seeds);
        for one in &drawn {
            let line = line_of(&self.sources[host].outline.text, one.range.start);
            case.steps.push(format!(
                "line {line} of {}: a piece of {}",
                self.seeds[host].name, self.seeds[one.source].name
            ));
        }
        Ok(case)
    }
}

/// The text of a piece for a place of another program that sees these
/// variables: each variable of the piece becomes one of them.
fn fit(
    from: &Source,
    piece: &Piece,
    to: &Source,
    visible: &[usize],
    choices: &mut Choices,
) -> Result<Vec<u8>, Reject> {
    let mut names: BTreeMap<usize, &[u8]> = BTreeMap::new();
    let mut text = Vec::with_capacity(piece.range.len());
    let mut done = piece.range.start;
    for used in from.free_uses(&piece.range) {
        let name = match names.get(&used.variable) {
            Some(name) => name,
            None => {
                let wanted = &from.outline.variables[used.variable];
                let name = stand_in(wanted, &to.outline.variables, visible, choices)?;
                names.entry(used.variable).or_insert(name)
            }
        };
        text.extend_from_slice(&from.outline.text[done..used.range.start]);
        text.extend_from_slice(name);
        done = used.range.end;
    }
    text.extend_from_slice(&from.outline.text[done..piece.range.end]);
    Ok(text)
}

/// The name of a visible variable of the same type if there is one, else of a
/// type that converts, else of any; with none at all, the name as it is.
fn stand_in<'a>(
    wanted: &'a Variable,
    variables: &'a [Variable],
    visible: &[usize],
    choices: &mut Choices,
) -> Result<&'a [u8], Reject> {
    let same = |variable: &Variable| variable.type_text == wanted.type_text;
    let converts =
        |variable: &Variable| wanted.family.is_some() && variable.family == wanted.family;
    let tests: [&dyn Fn(&Variable) -> bool; 3] = [&same, &converts, &|_| true];
    for fits in tests {
        let fitting: Vec<usize> = visible
            .iter()
            .copied()
            .filter(|&one| fits(&variables[one]))
            .collect();
        if !fitting.is_empty() {
            return Ok(&variables[*choices.pick(&fitting)?].name);
        }
    }
    Ok(&wanted.name)
}

/// The line that an offset is in, counted from 1.
fn line_of(text: &[u8], at: usize) -> usize {
    1 + text[..at].iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use lydite_syntax::SyntaxTree;

    use super::*;

    const MOST: u64 = 4;

    /// One program of each language, with two functions that share no name of
    /// a variable.
    const PROGRAMS: [(&str, &str); 9] = [
        (
            "c",
            "int f(int a) { int b = a + 1; if (a < b) { return a * b; } return b; }\n\
             int g(int c) { long d = c; while (c > 0) { c = c - 2; d += c; } return (int)d; }\n",
        ),
        (
            "cpp",
            "int f(int a) { int b = a + 1; if (a < b) { return a * b; } return b; }\n\
             int g(int c) { long d = c; while (c > 0) { c = c - 2; d += c; } return (int)d; }\n",
        ),
        (
            "solidity",
            "contract C { function f(uint a) public returns (uint) { uint b = a + 1; return a * b; }\n\
             function g(uint c) public returns (uint) { uint d = c; d = d + c; return d; } }\n",
        ),
        (
            "lua",
            "local function f(a) local b = a + 1 if a < b then return a * b end return b end\n\
             local function g(c) local d = c while c > 0 do c = c - 2 d = d + c end return d end\n",
        ),
        (
            "javascript",
            "function f(a) { let b = a + 1; if (a < b) { return a * b; } return b; }\n\
             function g(c) { let d = c; while (c > 0) { c = c - 2; d += c; } return d; }\n",
        ),
        (
            "rust",
            "fn f(a: i32) -> i32 { let b = a + 1; if a < b { return a * b; } return b; }\n\
             fn g(c: i32) -> i32 { let mut d = c; d = d + c; return d; }\n",
        ),
        (
            "scala",
            "object T { def f(a: Int): Int = { val b: Int = a + 1; if (a < b) a * b else b }\n\
             def g(c: Int): Int = { var d: Int = c; while (d > 9) { d = d - c }; d + c } }\n",
        ),
        (
            "awk",
            "function f(a,  b) { b = a + 1; if (a < b) { return a * b } return b }\n\
             function g(c,  d) { d = c; while (c > 0) { c = c - 2; d += c } return d }\n",
        ),
        (
            "jq",
            "def f($a): ($a + 1.5) as $b | if $a < $b then [$a * $b, @json \"\\($b)\"] else $b end;\n\
             def g($c): [$c] as $d | reduce range(0; $c) as $e ($d; . + [$e - $c]) | length;\nf(1), g(2)\n",
        ),
    ];

    fn seed(name: &str, text: &str) -> Seed {
        Seed {
            name: name.to_string(),
            text: Arc::from(text.as_bytes()),
            claim: None,
        }
    }

    fn space(language: &str, texts: &[&str]) -> SpliceSpace {
        let seeds: Vec<Seed> = texts
            .iter()
            .enumerate()
            .map(|(number, text)| seed(&number.to_string(), text))
            .collect();
        SpliceSpace::read(Dialect::of(language).unwrap(), &seeds, MOST, "x").unwrap()
    }

    fn samples(space: &SpliceSpace, count: u64) -> Vec<Case> {
        let sample = |index| space.sample(&mut Choices::seeded(1, index)).ok();
        (0..count).filter_map(sample).collect()
    }

    fn text(case: &Case) -> &[u8] {
        &case.programs[0].files[0].text
    }

    #[test]
    fn nearly_all_programs_are_what_the_grammar_of_their_language_allows() {
        for (language, program) in PROGRAMS {
            let dialect = Dialect::of(language).unwrap();
            let cases = samples(&space(language, &[program]), 200);
            assert!(cases.len() >= 150, "{language}: {}", cases.len());
            let sound = cases.iter().filter(|case| {
                let surface = (dialect.surface)(text(case));
                let tree = SyntaxTree::parse(&dialect.grammar(), &surface.text).unwrap();
                tree.first_error().is_none()
            });
            let sound = sound.count();
            // In jq pieces of all precedences are of one kind.
            let least = if language == "jq" { 8 } else { 9 };
            assert!(
                sound * 10 >= cases.len() * least,
                "{language}: {sound} of {}",
                cases.len()
            );
            let different: BTreeSet<&[u8]> = cases.iter().map(text).collect();
            assert!(different.len() >= 50, "{language}: {}", different.len());
            assert!(!different.contains(program.as_bytes()), "{language}");
        }
    }

    #[test]
    fn variables_of_a_piece_become_variables_that_can_be_seen_at_its_new_place() {
        let host = "int f(int a) { a = 1; return a; }\n";
        let other = "int g(int z) { z = z * 7; return z; }\n";
        let cases = samples(&space("c", &[host, other]), 400);
        let product_of = |name: &str| {
            let product = format!("{name} * 7");
            let has = |case: &&Case| {
                String::from_utf8_lossy(text(case)).contains(&product) && case.seeds[0].name == "0"
            };
            cases.iter().filter(has).count()
        };
        assert!(product_of("a") > 5, "{}", product_of("a"));
        // Where a function is replaced as a whole, it keeps its own names.
        let strays = cases.iter().filter(|case| {
            let text = String::from_utf8_lossy(text(case)).into_owned();
            case.seeds[0].name == "0" && text.contains("z * 7") && !text.contains("int z")
        });
        assert_eq!(strays.count(), 0);
    }

    #[test]
    fn the_same_choices_give_the_same_case() {
        let space = space("c", &[PROGRAMS[0].1]);
        let twice = || samples(&space, 50);
        assert_eq!(twice(), twice());
    }

    #[test]
    fn what_cannot_be_read_is_left_out_and_named_if_nothing_is_left() {
        let dialect = Dialect::of("c").unwrap();
        let bad = seed("bad.c", ")]}; +++ ((( 0x  ;;; ]] }} ??? @@@ %%%");
        let good = seed("good.c", PROGRAMS[0].1);
        let both = [bad.clone(), good];
        assert_eq!(
            SpliceSpace::read(dialect, &both, MOST, "c")
                .unwrap()
                .seeds
                .len(),
            1
        );
        let error = SpliceSpace::read(dialect, &[bad], MOST, "c").err().unwrap();
        assert!(error.to_string().contains("bad.c"), "{error}");
    }
}
