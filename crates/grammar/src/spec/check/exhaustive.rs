//! Do the arms of a match cover everything, and is each of use?
//!
//! The classic matrix algorithm: a row of patterns is useful if some value
//! matches it and no row above it.

use super::definitions::{DefKind, Definitions, Maker};
use super::types::{BOOL, TUPLE, Type};
use crate::spec::syntax::{Pattern, PatternKind};

/// A pattern without names.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Any,
    Made(Key, Vec<Shape>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Key {
    Variant(usize),
    Bool(bool),
    Tuple,
    Int(i64),
    Text(String),
}

/// Patterns that take longer to look through are given up on.
const BUDGET: usize = 20_000;

/// A pattern of the given type as a shape; what is wrong with it was said
/// elsewhere.
pub(super) fn shape(defs: &Definitions, pattern: &Pattern) -> Shape {
    let all = |patterns: &[Pattern]| patterns.iter().map(|p| shape(defs, p)).collect();
    match &pattern.kind {
        PatternKind::Any | PatternKind::Bind(_) => Shape::Any,
        PatternKind::Int(number) => Shape::Made(Key::Int(*number), Vec::new()),
        PatternKind::Bool(value) => Shape::Made(Key::Bool(*value), Vec::new()),
        PatternKind::Text(text) => Shape::Made(Key::Text(text.clone()), Vec::new()),
        PatternKind::Tuple(parts) => Shape::Made(Key::Tuple, all(parts)),
        PatternKind::Variant(name, parts) => match defs.makers.get(&name.text) {
            Some(Maker::Variant { index, .. }) => Shape::Made(Key::Variant(*index), all(parts)),
            _ => Shape::Any,
        },
    }
}

/// A value, as it would be written, that `row` matches and `rows` do not.
pub(super) fn useful(
    defs: &Definitions,
    rows: &[Vec<Shape>],
    row: &[Shape],
    of: &Type,
) -> Option<String> {
    let mut search = Search {
        defs,
        budget: BUDGET,
    };
    let witness = search.useful(rows, row, std::slice::from_ref(of))?;
    Some(search.shown(&witness[0], of))
}

struct Search<'a> {
    defs: &'a Definitions<'a>,
    budget: usize,
}

impl Search<'_> {
    /// Recursive over the columns and the depth of patterns, both bounded by
    /// the parser.
    fn useful(&mut self, rows: &[Vec<Shape>], row: &[Shape], of: &[Type]) -> Option<Vec<Shape>> {
        let Some((first, rest)) = row.split_first() else {
            return rows.is_empty().then(Vec::new);
        };
        self.budget = self.budget.checked_sub(1)?;
        if let Shape::Made(key, parts) = first {
            return self.specialized(rows, key, parts, rest, of);
        }
        let heads = rows.iter().filter_map(|row| match &row[0] {
            Shape::Made(key, _) => Some(key.clone()),
            Shape::Any => None,
        });
        let heads: Vec<Key> = heads.collect();
        let keys = self.keys(&of[0]);
        if !keys.is_empty() && keys.iter().all(|(key, _)| heads.contains(key)) {
            return keys.into_iter().find_map(|(key, count)| {
                self.specialized(rows, &key, &vec![Shape::Any; count], rest, of)
            });
        }
        let others = rows.iter().filter(|row| row[0] == Shape::Any);
        let others: Vec<Vec<Shape>> = others.map(|row| row[1..].to_vec()).collect();
        let mut witness = self.useful(&others, rest, &of[1..])?;
        let missing = keys.into_iter().find(|(key, _)| !heads.contains(key));
        let head = match missing {
            Some((key, count)) if !heads.is_empty() => Shape::Made(key, vec![Shape::Any; count]),
            _ => Shape::Any,
        };
        witness.insert(0, head);
        Some(witness)
    }

    fn specialized(
        &mut self,
        rows: &[Vec<Shape>],
        key: &Key,
        parts: &[Shape],
        rest: &[Shape],
        of: &[Type],
    ) -> Option<Vec<Shape>> {
        let count = parts.len();
        let rows = rows.iter().filter_map(|row| {
            let mut fields = match &row[0] {
                Shape::Any => vec![Shape::Any; count],
                Shape::Made(other, fields) if other == key && fields.len() == count => {
                    fields.clone()
                }
                Shape::Made(..) => return None,
            };
            fields.extend_from_slice(&row[1..]);
            Some(fields)
        });
        let rows: Vec<Vec<Shape>> = rows.collect();
        let row: Vec<Shape> = parts.iter().chain(rest).cloned().collect();
        let mut types = self.fields(key, &of[0], count);
        types.extend_from_slice(&of[1..]);
        let mut witness = self.useful(&rows, &row, &types)?;
        let fields = witness.drain(..count).collect();
        witness.insert(0, Shape::Made(key.clone(), fields));
        Some(witness)
    }

    /// Everything that a value of the type can begin with, and how many
    /// fields follow; empty if that has no end.
    fn keys(&self, of: &Type) -> Vec<(Key, usize)> {
        match of {
            Type::Named(TUPLE, parts) => vec![(Key::Tuple, parts.len())],
            Type::Named(BOOL, _) => vec![(Key::Bool(false), 0), (Key::Bool(true), 0)],
            Type::Named(id, _) => match &self.defs.types[*id as usize].kind {
                DefKind::Variant(variants) => {
                    let counts = variants.iter().map(|(_, fields)| fields.len());
                    let keys = counts.enumerate();
                    keys.map(|(index, count)| (Key::Variant(index), count))
                        .collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn fields(&self, key: &Key, of: &Type, count: usize) -> Vec<Type> {
        let fields = match (key, of) {
            (Key::Tuple, Type::Named(TUPLE, parts)) => parts.clone(),
            (Key::Variant(index), Type::Named(id, args)) => {
                match &self.defs.types[*id as usize].kind {
                    DefKind::Variant(variants) => {
                        let fields = variants[*index].1.iter();
                        fields.map(|field| field.with(args)).collect()
                    }
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        match fields.len() == count {
            true => fields,
            false => vec![Type::Unknown; count],
        }
    }

    fn shown(&self, shape: &Shape, of: &Type) -> String {
        let Shape::Made(key, parts) = shape else {
            return "_".to_string();
        };
        let types = self.fields(key, of, parts.len());
        let shown = parts.iter().zip(&types).map(|(p, of)| self.shown(p, of));
        let shown = shown.collect::<Vec<_>>().join(", ");
        let name = match (key, of) {
            (Key::Bool(value), _) => return value.to_string(),
            (Key::Int(number), _) => return number.to_string(),
            (Key::Text(text), _) => return format!("{text:?}"),
            (Key::Variant(index), Type::Named(id, _)) => {
                match &self.defs.types[*id as usize].kind {
                    DefKind::Variant(variants) => {
                        self.defs.tag_names[variants[*index].0 as usize].as_str()
                    }
                    _ => "",
                }
            }
            _ => "",
        };
        match parts.is_empty() {
            true => name.to_string(),
            false => format!("{name}({shown})"),
        }
    }
}
