//! Smaller scripts: fewer statements, clauses, columns and conditions, what is
//! in an expression in its place, shorter literals.
//!
//! A query at the top that orders its rows keeps its whole order, and a table
//! its key: databases print rows without an order as they like, which would
//! look like a wrong result. So do a query inside that is limited, and a window.

use lydite_core::{Edit, Program, SourceFile};

use super::columns;
use super::outline::{Outline, Span};
use super::token::Kind;
use crate::change::{By, Change, Cut};
use crate::tree::MAX_BYTES;

/// Scripts of more tokens are first cut by statements.
const MOST_TOKENS: usize = 100_000;
/// How deep an expression is looked into for what can stand in its place.
const HOIST_LEVELS: usize = 2;
/// What any expression may become.
const SIMPLEST: [&str; 3] = ["0", "1", "NULL"];
/// What a query has once for many rows.
const AGGREGATES: [&str; 6] = ["COUNT", "SUM", "MIN", "MAX", "AVG", "TOTAL"];
/// Words that mean less when they are gone.
const EXTRA: [&str; 6] = ["DISTINCT", "NOT", "ALL", "UNIQUE", "TEMPORARY", "DESC"];

/// Changes to a script, largest cut first.
pub(super) fn edits(program: &Program) -> impl Iterator<Item = Edit> + '_ {
    let file = program.source();
    let mut changes = match file.text.len() > MAX_BYTES {
        true => Vec::new(),
        false => changes(&Outline::of(&file.text)),
    };
    changes.retain(|change| change.saved() > 0);
    changes.sort_by_key(|change| std::cmp::Reverse(change.saved()));
    changes.into_iter().map(move |change| {
        let mut edited = program.clone();
        edited.files[0] = SourceFile {
            name: file.name.clone(),
            text: change.apply(&file.text).into(),
        };
        Edit {
            what: change.what,
            program: edited,
            keeps_meaning: change.keeps_meaning,
        }
    })
}

fn changes(outline: &Outline<'_>) -> Vec<Change> {
    let mut changes = statements(outline);
    changes.push(layout(outline).keeping_meaning());
    if outline.tokens.len() <= MOST_TOKENS {
        changes.extend(columns::changes(outline));
        changes.extend(statement_changes(outline));
    }
    changes
}

/// Changes inside of statements, each in one place.
pub(super) fn statement_changes(outline: &Outline<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let kept = Kept::of(outline);
    for (span, is_statement) in spans(outline) {
        changes.extend(in_span(outline, &span, is_statement, &kept));
    }
    for group in outline.groups() {
        if !kept.has(&group) && !kept.is_around(&group) {
            changes.extend(replaced(outline, &group));
        }
    }
    changes.extend(tokens(outline, &kept));
    changes
}

/// Expressions that become simpler ones. Aggregates stay: a count of all rows is not that of their parts.
pub(super) fn expression_changes(outline: &Outline<'_>) -> Vec<Change> {
    let kept = Kept::of(outline);
    let groups = outline.groups();
    let free = groups.filter(|group| !kept.has(group) && !kept.is_around(group));
    free.filter(|group| !has_aggregate(outline, &outline.call(group)))
        .flat_map(|group| replaced(outline, &group))
        .collect()
}

/// True if values of several rows are put together in a span.
pub(super) fn has_aggregate(outline: &Outline<'_>, span: &Span) -> bool {
    let mut calls = span.clone().filter(|&at| outline.is(at + 1, "("));
    calls.any(|at| outline.is_one_of(at, &AGGREGATES))
}

/// What stays whole, or goes with what it belongs to.
struct Kept {
    /// The orders of queries at the top, and keys.
    at_top: Vec<Span>,
    /// The tokens of orders of windows and of limited queries inside.
    inside: Vec<bool>,
}

impl Kept {
    fn of(outline: &Outline<'_>) -> Kept {
        let orders = outline.statements.iter().flat_map(|statement| {
            let clauses = outline.clauses(statement);
            let orders = clauses.into_iter().map(|clause| clause.span);
            orders.filter(|span| outline.is(span.start, "ORDER"))
        });
        let keys = (0..outline.tokens.len()).filter_map(|at| {
            let key = outline.is(at, "PRIMARY") && outline.is(at + 1, "KEY");
            key.then(|| at..outline.group_at(at + 2).map_or(at + 2, |group| group.end))
        });
        let mut at_top: Vec<Span> = orders.chain(keys).collect();
        at_top.sort_by_key(|span| span.start);
        let mut inside = vec![false; outline.tokens.len()];
        for group in outline.groups() {
            if !inside[group.start]
                && let Some(order) = order_inside(outline, &group)
            {
                inside[order].fill(true);
            }
        }
        Kept { at_top, inside }
    }

    /// True if the span has a part in one of them.
    fn has(&self, span: &Span) -> bool {
        let before = self.at_top.partition_point(|kept| kept.start < span.end);
        self.at_top[..before]
            .last()
            .is_some_and(|kept| kept.end > span.start)
    }

    /// True if the span is in an order of a query inside, or is one.
    fn is_around(&self, span: &Span) -> bool {
        let is_inside = |at: usize| self.inside.get(at) == Some(&true);
        !span.is_empty() && is_inside(span.start) && is_inside(span.end - 1)
    }
}

/// The order in a bracket that says which rows there are, or what is computed of them.
fn order_inside(outline: &Outline<'_>, group: &Span) -> Option<Span> {
    let clauses = outline.clauses(&(group.start + 1..group.end - 1));
    let order = clauses
        .iter()
        .position(|clause| outline.is(clause.span.start, "ORDER"))?;
    let of_window = group.start > 0 && outline.is(group.start - 1, "OVER");
    let after = outline.units(&(clauses[order].span.start..group.end - 1));
    let of_limited = after
        .iter()
        .any(|unit| outline.is_one_of(unit.start, &["LIMIT", "OFFSET", "FETCH"]));
    (of_window || of_limited).then(|| clauses[order].span.clone())
}

/// Whatever has clauses: statements, for which it is true, and what is in
/// brackets.
fn spans(outline: &Outline<'_>) -> Vec<(Span, bool)> {
    let statements = outline.statements.iter().map(|span| (span.clone(), true));
    let groups = outline
        .groups()
        .map(|group| (group.start + 1..group.end - 1, false));
    statements.chain(groups).collect()
}

fn out(outline: &Outline<'_>, span: &Span) -> Cut {
    Cut::out(outline.range(span))
}

/// Halves, quarters and so on of the statements, and each.
fn statements(outline: &Outline<'_>) -> Vec<Change> {
    let all = &outline.statements;
    let mut changes = Vec::new();
    let mut length = all.len().div_ceil(2);
    while length > 0 {
        for run in all.chunks(length) {
            let span = outline.with_end(&(run[0].start..run[run.len() - 1].end));
            let what = format!("remove {} statements", run.len());
            changes.push(Change::of(vec![out(outline, &span)], what));
        }
        length = match length {
            1 => 0,
            _ => length.div_ceil(2),
        };
    }
    changes
}

/// Fewer clauses, elements of lists, and operands.
fn in_span(outline: &Outline<'_>, span: &Span, is_statement: bool, kept: &Kept) -> Vec<Change> {
    let mut changes = Vec::new();
    let clauses = outline.clauses(span);
    let ordered = is_statement && clauses.iter().any(|c| outline.is(c.span.start, "ORDER"));
    // An order and what follows it belong to all queries before it.
    let queries_end = clauses
        .iter()
        .find(|clause| outline.is_one_of(clause.span.start, &["ORDER", "LIMIT", "OFFSET"]))
        .map_or(span.end, |clause| clause.span.start);
    for (number, clause) in clauses.iter().enumerate() {
        if outline.is_set_operator(clause.span.start) {
            let (left, right) = (span.start..clause.body.end, clause.span.start..queries_end);
            for (gone, side) in [(left, "right"), (right, "left")] {
                let what = format!("leave the query on the {side}");
                changes.push(Change::of(vec![out(outline, &gone)], what));
            }
        } else if number > 0 && !kept.has(&clause.span) && !kept.is_around(&clause.span) {
            let word = String::from_utf8_lossy(outline.bytes(clause.span.start)).into_owned();
            let what = format!("remove {word}");
            changes.push(Change::of(vec![out(outline, &clause.span)], what));
        }
        // Columns of a query with an order go with what orders by them.
        let is_kept = kept.has(&clause.span) || kept.is_around(&clause.span);
        if is_kept || ordered && outline.is(clause.span.start, "SELECT") {
            continue;
        }
        let elements = outline.elements(&clause.body);
        changes.extend(shorter_list(outline, &elements));
        for element in &elements {
            changes.extend(fewer_operands(outline, element));
        }
    }
    changes
}

/// Halves, quarters and so on of a list, and each element.
fn shorter_list(outline: &Outline<'_>, elements: &[Span]) -> Vec<Change> {
    let mut changes = Vec::new();
    if elements.len() < 2 {
        return changes;
    }
    let mut length = elements.len() / 2;
    while length > 0 {
        for (number, run) in elements.chunks(length).enumerate() {
            let span = run[0].start..run[run.len() - 1].end;
            // With the comma after it, or else the one before it.
            let span = match number * length + run.len() == elements.len() {
                true => span.start.saturating_sub(1)..span.end,
                false => span.start..span.end + 1,
            };
            let what = format!("remove {} of a list", run.len());
            changes.push(Change::of(vec![out(outline, &span)], what));
        }
        length /= 2;
    }
    changes
}

/// What stands on one side of each operator.
fn fewer_operands(outline: &Outline<'_>, element: &Span) -> Vec<Change> {
    let operands = outline.operands(element);
    let sides = operands.windows(2).flat_map(|pair| {
        let (left, right) = (&pair[0], &pair[1]);
        [
            (element.start..right.start, right),
            (left.end..element.end, left),
        ]
    });
    sides
        .filter(|(_, stays)| !stays.is_empty())
        .map(|(gone, _)| {
            let what = "remove an operand".to_string();
            Change::of(vec![out(outline, &gone)], what)
        })
        .collect()
}

/// A bracket, call or CASE: the simplest value, or what is in it, in its place.
fn replaced(outline: &Outline<'_>, group: &Span) -> Vec<Change> {
    let whole = outline.call(group);
    let range = outline.range(&whole);
    let change = |by: By| {
        let what = "put something simpler in place of an expression".to_string();
        Change::one(range.clone(), by, what)
    };
    let mut changes: Vec<Change> = SIMPLEST.iter().map(|word| change(By::text(word))).collect();
    let inside: Span = group.start + 1..group.end - 1;
    let mut level = vec![inside];
    for _ in 0..HOIST_LEVELS {
        let parts = level.iter().flat_map(|span| parts(outline, span));
        let parts: Vec<Span> = parts.filter(|part| !part.is_empty()).collect();
        let by = parts.iter().map(|part| By::Part(outline.range(part)));
        changes.extend(by.map(change));
        let deeper = parts.iter().flat_map(|part| outline.units(part));
        level = deeper
            .filter(|unit| unit.len() > 2)
            .map(|unit| unit.start + 1..unit.end - 1)
            .collect();
    }
    changes
}

/// What a bracket has inside: elements, operands, the values of a CASE.
fn parts(outline: &Outline<'_>, span: &Span) -> Vec<Span> {
    let mut parts = Vec::new();
    for clause in outline.clauses(span) {
        if outline.is(clause.span.start, "SELECT") {
            parts.push(span.clone());
        }
        for element in outline.elements(&clause.body) {
            let operands = outline.operands(&element);
            parts.push(element);
            if operands.len() > 1 {
                parts.extend(operands);
            }
        }
    }
    parts
}

/// Shorter literals, and words that can go.
fn tokens(outline: &Outline<'_>, kept: &Kept) -> Vec<Change> {
    let mut changes = Vec::new();
    for (at, token) in outline.tokens.iter().enumerate() {
        let bytes = outline.bytes(at);
        let by: Vec<Vec<u8>> = match token.kind {
            _ if kept.has(&(at..at + 1)) || kept.is_around(&(at..at + 1)) => continue,
            Kind::Number => {
                let half = &bytes[..bytes.len() / 2];
                vec![b"0".to_vec(), b"1".to_vec(), half.to_vec()]
            }
            Kind::Text if bytes.len() > 2 => {
                let half = [&bytes[..bytes.len() / 2], b"'"].concat();
                vec![b"''".to_vec(), half]
            }
            _ => Vec::new(),
        };
        let shorter = by.into_iter().filter(|by| !by.is_empty());
        changes.extend(shorter.map(|by| {
            let what = "put a shorter literal".to_string();
            Change::one(token.range.clone(), By::Text(by), what)
        }));
        let gone = match outline.is(at, "AS") {
            true => Some(at..at + 2),
            false => outline.is_one_of(at, &EXTRA).then_some(at..at + 1),
        };
        if let Some(gone) = gone.filter(|span| span.end <= outline.tokens.len()) {
            let what = "remove a word".to_string();
            changes.push(Change::of(vec![out(outline, &gone)], what));
        }
    }
    changes
}

/// One space, or the end of a line after a statement, where there is more.
fn layout(outline: &Outline<'_>) -> Change {
    let ends = outline.tokens.iter().map(|token| token.range.end);
    let starts = outline.tokens.iter().map(|token| token.range.start);
    let gaps = std::iter::once(0)
        .chain(ends)
        .zip(starts.chain([outline.text.len()]));
    let cut = |(number, (from, to)): (usize, (usize, usize))| {
        let ended = number == 0 || outline.is(number - 1, ";");
        let by = match (from == 0, ended) {
            (true, _) => By::NOTHING,
            (_, true) => By::text("\n"),
            _ => By::text(" "),
        };
        (to > from + 1 || from == 0 && to > 0).then_some(Cut {
            range: from..to,
            by,
        })
    };
    let cuts = gaps.enumerate().filter_map(cut).collect();
    Change::of(cuts, "remove comments and white space".to_string())
}
