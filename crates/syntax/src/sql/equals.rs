//! Smaller forms of scripts that print the same rows: all are edited alike.
//!
//! Such scripts are texts of one tree, so most of their statements are the same, and
//! an expression that stands in one of them stands in the others, or several times
//! in one. What is the same statement in all is removed or edited in all; what
//! differs between two such statements is removed together; and an expression is
//! replaced wherever it stands. Then they are texts of a smaller tree.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use lydite_core::{Program, SourceFile};

use super::columns;
use super::edits;
use super::outline::Outline;
use crate::change::Change;
use crate::tree::MAX_BYTES;

/// More edits than this are not tried for one set of scripts.
const MOST_EDITS: usize = 20_000;
/// An expression that stands as often in one script is a part of the tree.
const PARTS: usize = 3;

/// Some bytes of a script and what they become, wherever they stand.
struct Exchange {
    what: String,
    from: Vec<u8>,
    to: Vec<u8>,
}

/// A smaller form of every script.
enum Smaller {
    /// Ranges of each of them are gone.
    Without(String, Vec<Vec<Range<usize>>>),
    Exchanged(Exchange),
    /// Each is changed, in its own way.
    Changed(Vec<Change>),
}

/// See the module's documentation; largest cut first.
pub(super) fn edits(programs: &[Program]) -> impl Iterator<Item = (String, Vec<Program>)> + '_ {
    let texts: Vec<Arc<[u8]>> = programs.iter().map(|p| p.source().text.clone()).collect();
    let mut all = match texts.iter().any(|text| text.len() > MAX_BYTES) {
        true => Vec::new(),
        false => {
            let scripts: Vec<Script<'_>> = texts.iter().map(|text| Script::of(text)).collect();
            let mut all = removals(&scripts);
            all.extend(columns(&scripts));
            all.extend(exchanges(&scripts));
            all
        }
    };
    all.sort_by_cached_key(|one| std::cmp::Reverse(one.saved(&texts)));
    all.truncate(MOST_EDITS);
    all.into_iter().filter_map(move |one| {
        let made: Vec<Vec<u8>> = (0..texts.len())
            .map(|number| one.apply(number, &texts[number]))
            .collect();
        let smaller = made
            .iter()
            .zip(&texts)
            .any(|(made, text)| made.len() < text.len());
        smaller.then(|| (one.into_words(), replaced(programs, made)))
    })
}

fn replaced(programs: &[Program], texts: Vec<Vec<u8>>) -> Vec<Program> {
    let edited = programs.iter().zip(texts).map(|(program, text)| {
        let mut edited = program.clone();
        edited.files[0] = SourceFile {
            name: program.source().name.clone(),
            text: text.into(),
        };
        edited
    });
    edited.collect()
}

impl Smaller {
    fn saved(&self, texts: &[Arc<[u8]>]) -> usize {
        match self {
            Smaller::Without(_, gone) => gone.iter().flatten().map(Range::len).sum(),
            Smaller::Exchanged(one) => {
                let times: usize = texts.iter().map(|text| count(text, &one.from)).sum();
                times * one.from.len().saturating_sub(one.to.len())
            }
            Smaller::Changed(changes) => changes.iter().map(Change::saved).sum(),
        }
    }

    fn apply(&self, number: usize, text: &[u8]) -> Vec<u8> {
        match self {
            Smaller::Without(_, gone) => {
                let mut made = Vec::with_capacity(text.len());
                let mut done = 0;
                for range in &gone[number] {
                    made.extend_from_slice(&text[done..range.start]);
                    done = range.end;
                }
                made.extend_from_slice(&text[done..]);
                made
            }
            Smaller::Exchanged(one) => exchanged(text, &one.from, &one.to),
            Smaller::Changed(changes) => changes[number].apply(text),
        }
    }

    fn into_words(self) -> String {
        match self {
            Smaller::Without(what, _) => what,
            Smaller::Exchanged(one) => one.what,
            Smaller::Changed(changes) => {
                let first = changes.into_iter().next();
                first.map(|change| change.what).unwrap_or_default()
            }
        }
    }
}

/// A script by its statements.
struct Script<'a> {
    outline: Outline<'a>,
    /// With what ends them.
    statements: Vec<Range<usize>>,
}

impl<'a> Script<'a> {
    fn of(text: &'a [u8]) -> Script<'a> {
        let outline = Outline::of(text);
        let ended = |span| outline.range(&outline.with_end(span));
        let statements = outline.statements.iter().map(ended).collect();
        Script {
            outline,
            statements,
        }
    }

    fn text(&self, at: usize) -> &'a [u8] {
        &self.outline.text[self.statements[at].clone()]
    }
}

/// Statements of all scripts that belong together: in some there may be none.
struct Stretch {
    /// The numbers of statements in each script.
    statements: Vec<Range<usize>>,
    /// True if it is one statement, the same in all.
    is_same: bool,
}

/// The scripts side by side: statements that are the same, and of what stands
/// between, those of one kind.
fn stretches(scripts: &[Script<'_>]) -> Vec<Stretch> {
    let whole: Vec<Range<usize>> = scripts.iter().map(|s| 0..s.statements.len()).collect();
    let same = |number: usize, at: usize| scripts[number].text(at).to_vec();
    let alike = |number: usize, at: usize| kind(scripts[number].text(at));
    let mut found = Vec::new();
    for (statements, is_same) in side_by_side(&whole, same) {
        if is_same {
            found.push(Stretch {
                statements,
                is_same,
            });
            continue;
        }
        let parts = side_by_side(&statements, alike);
        found.extend(parts.into_iter().map(|(statements, _)| Stretch {
            statements,
            is_same: false,
        }));
    }
    found
}

/// What a statement does, as far as texts of one tree agree in it.
fn kind(statement: &[u8]) -> Vec<u8> {
    let outline = Outline::of(statement);
    let word = match statement {
        _ if outline.is_one_of(0, &["INSERT", "UPDATE", "DELETE"]) => "change",
        _ if outline.is(0, "CREATE") && outline.is_one_of(1, &["INDEX", "UNIQUE"]) => "index",
        _ if outline.is(0, "CREATE") => "create",
        _ if outline.is_one_of(0, &["SELECT", "WITH"]) => "query",
        _ => "other",
    };
    word.as_bytes().to_vec()
}

/// Ranges of the scripts' statements in their order: single statements that all have
/// by `key`, for which it is true, and what stands between them.
fn side_by_side(
    within: &[Range<usize>],
    key: impl Fn(usize, usize) -> Vec<u8>,
) -> Vec<(Vec<Range<usize>>, bool)> {
    let mut found = Vec::new();
    let mut at: Vec<usize> = within.iter().map(|range| range.start).collect();
    let between = |from: &[usize], to: &[usize]| -> Option<Vec<Range<usize>>> {
        let apart: Vec<Range<usize>> = from.iter().zip(to).map(|(&a, &b)| a..b).collect();
        apart.iter().any(|range| !range.is_empty()).then_some(apart)
    };
    for first in within[0].clone() {
        let wanted = key(0, first);
        let next = within.iter().enumerate().map(|(number, range)| {
            let mut later = at[number]..range.end;
            later.find(|&at| key(number, at) == wanted)
        });
        let Some(same) = next.collect::<Option<Vec<usize>>>() else {
            continue;
        };
        found.extend(between(&at, &same).map(|apart| (apart, false)));
        at = same.iter().map(|number| number + 1).collect();
        found.push((
            same.into_iter().map(|number| number..number + 1).collect(),
            true,
        ));
    }
    let ends: Vec<usize> = within.iter().map(|range| range.end).collect();
    found.extend(between(&at, &ends).map(|apart| (apart, false)));
    found
}

/// Halves, quarters and so on of the stretches, and each, removed from all scripts.
fn removals(scripts: &[Script<'_>]) -> Vec<Smaller> {
    let stretches = stretches(scripts);
    let mut all = Vec::new();
    let mut length = stretches.len().div_ceil(2);
    while length > 0 {
        for run in stretches.chunks(length) {
            let gone = |number: usize| {
                let statements = run
                    .iter()
                    .flat_map(|stretch| stretch.statements[number].clone());
                statements
                    .map(|at| scripts[number].statements[at].clone())
                    .collect()
            };
            let what = format!("remove {} statements of all", run.len());
            all.push(Smaller::Without(
                what,
                (0..scripts.len()).map(gone).collect(),
            ));
        }
        length = match length {
            1 => 0,
            _ => length.div_ceil(2),
        };
    }
    all
}

/// Tables without a column, and queries that show one less, in all scripts. What puts rows
/// together stays: without it there would be other rows.
fn columns(scripts: &[Script<'_>]) -> Vec<Smaller> {
    let of_tables = |script: &Script<'_>| {
        let changes = columns::of_tables(&script.outline).into_iter();
        changes
            .map(|change| (change.what.clone(), change))
            .collect()
    };
    let mut of_tables: Vec<BTreeMap<String, Change>> = scripts.iter().map(of_tables).collect();
    let names: Vec<String> = of_tables[0].keys().cloned().collect();
    let mut all = Vec::new();
    for name in names {
        let changes = of_tables.iter_mut().map(|changes| changes.remove(&name));
        all.extend(changes.collect::<Option<_>>().map(Smaller::Changed));
    }
    for stretch in stretches(scripts) {
        let shown = scripts.iter().zip(&stretch.statements);
        let shown = shown.map(|(script, statements)| shown_columns(script, statements));
        let mut shown: Vec<_> = shown.map(Vec::into_iter).collect();
        let alike = shown.iter().all(|changes| changes.len() == shown[0].len());
        while alike && let Some(changes) = shown.iter_mut().map(Iterator::next).collect() {
            let changes: Vec<Option<Change>> = changes;
            all.extend(
                changes
                    .into_iter()
                    .collect::<Option<_>>()
                    .map(Smaller::Changed),
            );
        }
    }
    all
}

/// The columns that the one statement shows, each gone; none for those that put rows together.
fn shown_columns(script: &Script<'_>, statements: &Range<usize>) -> Vec<Option<Change>> {
    if statements.len() != 1 {
        return Vec::new();
    }
    let text = script.text(statements.start);
    let changes = columns::shown_columns(&Outline::of(text)).into_iter();
    let counts = |change: &Change| {
        change.exchanges(text).iter().any(|(gone, _)| {
            let gone = Outline::of(&text[gone.clone()]);
            edits::has_aggregate(&gone, &(0..gone.tokens.len()))
        })
    };
    let start = script.statements[statements.start].start;
    changes
        .map(|change| (!counts(&change)).then(|| change.moved(start)))
        .collect()
}

/// Statements that are the same in all, edited; expressions, replaced wherever they
/// stand.
fn exchanges(scripts: &[Script<'_>]) -> Vec<Smaller> {
    let mut seen: BTreeSet<(Vec<u8>, Vec<u8>)> = BTreeSet::new();
    let mut all = Vec::new();
    let mut exchange = |what: String, from: &[u8], to: Vec<u8>| {
        if to.len() < from.len() && seen.insert((from.to_vec(), to.clone())) {
            let from = from.to_vec();
            all.push(Smaller::Exchanged(Exchange { what, from, to }));
        }
    };
    for stretch in stretches(scripts) {
        if stretch.is_same {
            let text = scripts[0].text(stretch.statements[0].start);
            for change in edits::statement_changes(&Outline::of(text)) {
                let to = change.apply(text);
                exchange(change.what, text, to);
            }
            continue;
        }
        for (script, statements) in scripts.iter().zip(stretch.statements) {
            for text in statements.map(|at| script.text(at)) {
                for change in edits::expression_changes(&Outline::of(text)) {
                    let [(gone, to)] = &change.exchanges(text)[..] else {
                        continue;
                    };
                    let from = &text[gone.clone()];
                    if is_shared(scripts, from) {
                        exchange(change.what.clone(), from, to.clone());
                    }
                }
            }
        }
    }
    all
}

/// True if the expression is a part of the tree and not of how one script is written.
fn is_shared(scripts: &[Script<'_>], expression: &[u8]) -> bool {
    let mut times = scripts
        .iter()
        .map(|script| count(script.outline.text, expression));
    times.clone().all(|times| times > 0) || times.any(|times| times >= PARTS)
}

/// Where `part` begins in the text, without overlaps.
fn places<'a>(text: &'a [u8], part: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text
            .get(at..)
            .filter(|rest| !part.is_empty() && rest.len() >= part.len())?;
        let found = at + rest.windows(part.len()).position(|window| window == part)?;
        at = found + part.len();
        Some(found)
    })
}

fn count(text: &[u8], part: &[u8]) -> usize {
    places(text, part).count()
}

fn exchanged(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut made = Vec::with_capacity(text.len());
    let mut done = 0;
    for place in places(text, from) {
        made.extend_from_slice(&text[done..place]);
        made.extend_from_slice(to);
        done = place + from.len();
    }
    made.extend_from_slice(&text[done..]);
    made
}
