//! Columns go with what is put into them, ordered by them, or shown of them;
//! views with what reads them.

use super::outline::{Outline, Span};
use crate::change::{By, Change, Cut};

/// A script that makes more is first cut in other ways.
const MOST_MADE: usize = 200;
/// No more columns of one table are tried.
const MOST_COLUMNS: usize = 100;

/// Names that statements make, by their tokens, each with its statement.
fn made(outline: &Outline<'_>) -> Vec<(usize, Span)> {
    let name = |statement: &Span| {
        let words = statement.start..statement.end.min(statement.start + MOST_WORDS);
        if !outline.is(statement.start, "CREATE") {
            return None;
        }
        let mut words = words.clone().filter(|&at| outline.is_one_of(at, &THINGS));
        let mut at = words.next()? + 1;
        while outline.is_one_of(at, &["IF", "NOT", "EXISTS"]) {
            at += 1;
        }
        (at < statement.end).then(|| (at, statement.clone()))
    };
    let made = outline.statements.iter().filter_map(name);
    made.take(MOST_MADE).collect()
}

const THINGS: [&str; 4] = ["TABLE", "VIEW", "INDEX", "TRIGGER"];
/// Words that begin an element of a table that is no column.
const CONSTRAINTS: [&str; 5] = ["PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "CONSTRAINT"];
/// `CREATE OR REPLACE TEMPORARY TABLE` is the longest beginning.
const MOST_WORDS: usize = 6;

pub(super) fn changes(outline: &Outline<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let made = made(outline);
    for (number, (name, statement)) in made.iter().enumerate() {
        changes.push(without_name(outline, *name));
        let columns = outline.group_at(name + 1);
        if let Some(columns) = columns.filter(|_| outline.is(name - 1, "TABLE")) {
            changes.extend(without_columns(outline, *name, statement, &columns));
        }
        if outline.is(name - 1, "VIEW") {
            let others = made[..number].iter().map(|(other, _)| *other);
            let others = others.filter(|other| outline.is_one_of(other - 1, &["TABLE", "VIEW"]));
            changes.extend(others.map(|other| in_place(outline, *name, statement, other)));
        }
    }
    changes.extend(shown_columns(outline));
    for group in outline.groups() {
        let inside = group.start + 1..group.end - 1;
        if outline.is(inside.start, "SELECT") {
            for number in 0..width(outline, &inside) {
                let cuts = of_queries(outline, &inside, number);
                changes.push(Change::of(
                    cuts,
                    format!("remove column {number} of queries"),
                ));
            }
        }
    }
    changes
}

/// Queries of queries without each of the columns that they show.
pub(super) fn shown_columns(outline: &Outline<'_>) -> Vec<Change> {
    let statements = outline.statements.iter();
    statements
        .flat_map(|statement| unseen_columns(outline, statement))
        .collect()
}

/// Tables without each of their columns, and names with all that uses them.
pub(super) fn of_tables(outline: &Outline<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    for (name, statement) in made(outline) {
        changes.push(without_name(outline, name));
        if outline.is(name - 1, "TABLE")
            && let Some(columns) = outline.group_at(name + 1)
        {
            changes.extend(without_columns(outline, name, &statement, &columns));
        }
    }
    changes
}

/// All statements gone that use a name.
fn without_name(outline: &Outline<'_>, name: usize) -> Change {
    let name = outline.bytes(name);
    let uses = |span: &&Span| (*span).clone().any(|at| outline.bytes(at) == name);
    let users = outline.statements.iter().filter(uses);
    let cuts = users.map(|span| Cut::out(outline.range(&outline.with_end(span))));
    let what = format!("remove all that uses {}", String::from_utf8_lossy(name));
    Change::of(cuts.collect(), what)
}

/// Cuts number `number` out of a list.
fn cut(outline: &Outline<'_>, list: &[Span], number: usize) -> Option<Cut> {
    let element = list.get(number)?;
    let span = match number + 1 < list.len() {
        true => element.start..element.end + 1,
        false if number > 0 => element.start - 1..element.end,
        false => return None,
    };
    Some(Cut::out(outline.range(&span)))
}

/// The table without each of its columns: what was put into it, and where the
/// column alone is an element of a list, go too.
fn without_columns(
    outline: &Outline<'_>,
    table: usize,
    made: &Span,
    columns: &Span,
) -> Vec<Change> {
    let list = outline.elements(&(columns.start + 1..columns.end - 1));
    let name = outline.bytes(table);
    let users = outline.statements.iter().filter(|statement| {
        let mut tokens = (*statement).clone();
        **statement != *made && tokens.any(|at| outline.bytes(at) == name)
    });
    let users: Vec<&Span> = users.collect();
    let change = |number: usize| {
        let column = outline.bytes(list[number].start);
        let mut cuts: Vec<Cut> = cut(outline, &list, number).into_iter().collect();
        for statement in &users {
            for clause in outline.clauses(statement) {
                let elements = outline.elements(&clause.body);
                let rows = outline.is(clause.span.start, "VALUES");
                for (at, element) in elements.iter().enumerate() {
                    if rows && outline.is(element.start, "(") {
                        let row = outline.elements(&(element.start + 1..element.end - 1));
                        cuts.extend(cut(outline, &row, number));
                    } else if element.len() == 1 && outline.bytes(element.start) == column {
                        cuts.extend(cut(outline, &elements, at));
                    }
                }
            }
        }
        let (column, name) = (
            String::from_utf8_lossy(column),
            String::from_utf8_lossy(name),
        );
        Change::of(cuts, format!("remove column {column} of {name}"))
    };
    let count = list.len().min(MOST_COLUMNS);
    (0..count)
        .filter(|&at| !list[at].is_empty() && !outline.is_one_of(list[at].start, &CONSTRAINTS))
        .map(change)
        .collect()
}

/// A view gone, and another table or view wherever it is read.
fn in_place(outline: &Outline<'_>, view: usize, made: &Span, other: usize) -> Change {
    let mut cuts = vec![Cut::out(outline.range(&outline.with_end(made)))];
    let name = outline.bytes(view);
    let uses = (0..outline.tokens.len()).filter(|&at| outline.bytes(at) == name);
    cuts.extend(uses.map(|at| Cut {
        range: outline.tokens[at].range.clone(),
        by: By::Part(outline.tokens[other].range.clone()),
    }));
    let shown = |at: usize| String::from_utf8_lossy(outline.bytes(at)).into_owned();
    Change::of(
        cuts,
        format!("read {} in place of {}", shown(other), shown(view)),
    )
}

/// How many columns the first query of a span has.
fn width(outline: &Outline<'_>, span: &Span) -> usize {
    let clauses = outline.clauses(span);
    let first = clauses.first();
    let width = first.map_or(0, |clause| outline.elements(&clause.body).len());
    width.min(MOST_COLUMNS)
}

/// Cuts column `number` of every query of a span: those that set operators
/// join have the same columns.
fn of_queries(outline: &Outline<'_>, span: &Span, number: usize) -> Vec<Cut> {
    let clauses = outline.clauses(span).into_iter();
    let queries = clauses.filter(|clause| outline.is(clause.span.start, "SELECT"));
    queries
        .filter_map(|clause| cut(outline, &outline.elements(&clause.body), number))
        .collect()
}

/// A query of queries without each of its columns: where it shows or orders by
/// it, and where it is made in the bracket behind FROM.
fn unseen_columns(outline: &Outline<'_>, statement: &Span) -> Vec<Change> {
    if !outline.is(statement.start, "SELECT") {
        return Vec::new();
    }
    let clauses = outline.clauses(statement);
    let from = clauses
        .iter()
        .find(|clause| outline.is(clause.span.start, "FROM"));
    let group = from.and_then(|from| outline.group_at(from.body.start));
    let inside = group.map(|group| group.start + 1..group.end - 1);
    let shown = outline.elements(&clauses[0].body);
    let change = |(number, column): (usize, &Span)| {
        let name = outline.bytes(column.end.checked_sub(1)?);
        // The end of a call names nothing.
        let is_name = name != b")";
        let named = |span: &Span| is_name && span.clone().any(|at| outline.bytes(at) == name);
        let mut cuts: Vec<Cut> = cut(outline, &shown, number).into_iter().collect();
        for clause in clauses.iter().filter(|c| outline.is(c.span.start, "ORDER")) {
            cuts.extend(without_elements(
                outline,
                &outline.elements(&clause.body),
                &named,
            ));
        }
        if let Some(inside) = &inside {
            cuts.extend(of_queries(outline, inside, number));
        }
        let what = format!("show no {}", String::from_utf8_lossy(name));
        Some(Change::of(cuts, what))
    };
    if shown.len() < 2 {
        return Vec::new();
    }
    let columns = shown.iter().enumerate().take(MOST_COLUMNS);
    columns
        .filter(|(_, column)| !column.is_empty())
        .filter_map(change)
        .collect()
}

/// Cuts those elements of a list, if others stay.
fn without_elements(
    outline: &Outline<'_>,
    list: &[Span],
    gone: &dyn Fn(&Span) -> bool,
) -> Vec<Cut> {
    let Some(first) = list.iter().find(|span| !gone(span)) else {
        return Vec::new();
    };
    let cuts = list.iter().filter(|element| gone(element)).map(|element| {
        // With the comma after it, or, behind what stays, the one before it.
        let span = match element.start < first.start {
            true => element.start..element.end + 1,
            false => element.start - 1..element.end,
        };
        Cut::out(outline.range(&span))
    });
    cuts.collect()
}
