//! The statements of a program: where a probe may stand, and which of them
//! could be taken out if a run does not reach them.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use lydite_syntax::{NodeId, Surface, SyntaxTree};

use super::probing::Probing;
use crate::extract::captures::{
    BODY, CASE, Captures, FUNCTION, Flags, KEPT, LABEL, OUTLIVES, PROGRAM_KEPT, Role, STATEMENT,
    SWITCH, WHOLE,
};
use crate::extract::{Dialect, Refusal, parse};

/// More statements than this are not what people write.
const MAX_STATEMENTS: usize = 100_000;

/// Why no statement of a program can be taken out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotDelete {
    /// It cannot be read.
    #[error(transparent)]
    Unread(#[from] Refusal),
    /// There is no way to write a probe in its language, and why.
    #[error("there are no probes of {0}: {1}")]
    NoProbes(&'static str, &'static str),
    /// It may see what code it has.
    #[error("it may depend on what code it has or how that is compiled ({0})")]
    Telling(String),
    /// It has too many statements.
    #[error("{0} statements are more than {MAX_STATEMENTS}")]
    TooLarge(usize),
}

/// A statement that a run reaches or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// Where it is in the text.
    pub range: Range<usize>,
    /// True if it is the only statement of its place, not one of a list.
    pub alone: bool,
    /// True if the program stays what it is without it, unless it is reached.
    pub removable: bool,
}

/// All statements of a program, in the order of the text; a statement comes
/// before those in it.
pub(super) fn statements(
    dialect: &Dialect,
    probing: &Probing,
    text: &Arc<[u8]>,
) -> Result<Vec<Statement>, CannotDelete> {
    let told = probing
        .telling
        .iter()
        .find(|word| words(text).any(|one| one == word.as_bytes()));
    if let Some(word) = told {
        return Err(CannotDelete::Telling(word.to_string()));
    }
    let (surface, tree) = parse(dialect, text)?;
    let captures = Captures::find(dialect.query(), &tree, &surface.text);
    let finder = Finder::new(probing, text, &surface, &tree, &captures)?;
    let found: Vec<Statement> = (0..tree.nodes().len())
        .filter_map(|node| finder.statement(node))
        .collect();
    match found.len() {
        count if count > MAX_STATEMENTS => Err(CannotDelete::TooLarge(count)),
        _ => Ok(found),
    }
}

struct Finder<'a> {
    probing: &'a Probing,
    text: &'a [u8],
    surface: &'a Surface,
    tree: &'a SyntaxTree,
    captures: &'a Captures,
    around: Vec<Flags>,
    /// Functions with errors in them.
    broken: BTreeSet<NodeId>,
    /// Macros that may hide a label.
    labels: BTreeSet<Vec<u8>>,
    /// Names whose types may follow from their uses, and where they are declared.
    inferred: Vec<(&'a [u8], usize)>,
}

impl<'a> Finder<'a> {
    fn new(
        probing: &'a Probing,
        text: &'a [u8],
        surface: &'a Surface,
        tree: &'a SyntaxTree,
        captures: &'a Captures,
    ) -> Result<Finder<'a>, CannotDelete> {
        let around = captures.inherited(tree);
        if (0..tree.nodes().len()).any(|node| captures.is(node, PROGRAM_KEPT)) {
            let what = "what a template makes of its own accord".to_string();
            return Err(CannotDelete::Telling(what));
        }
        let mut labels = BTreeSet::new();
        if probing.has_directives {
            for definition in definitions(text) {
                let chosen = |range: &Range<usize>| range.contains(&definition.start);
                if surface.conditional.iter().any(chosen) {
                    let what = "a macro that only some compilers see".to_string();
                    return Err(CannotDelete::Telling(what));
                }
                let body = &text[definition];
                if body.contains(&b':') {
                    labels.extend(words(body).next().map(<[u8]>::to_vec));
                }
            }
        }
        let mut finder = Finder {
            probing,
            text,
            surface,
            tree,
            captures,
            around,
            broken: BTreeSet::new(),
            labels,
            inferred: Vec::new(),
        };
        if probing.infers_types {
            let others = captures
                .definitions
                .iter()
                .filter(|one| one.role == Role::Other);
            finder.inferred = others
                .map(|one| {
                    let range = tree.node(one.name).range.clone();
                    (&surface.text[range.clone()], range.start)
                })
                .collect();
        }
        let failed = |(_, node): &(usize, &lydite_syntax::Node)| node.is_error || node.is_missing;
        let failed = tree.nodes().iter().enumerate().filter(failed);
        finder.broken = failed
            .filter_map(|(number, _)| finder.function(number))
            .collect();
        Ok(finder)
    }

    /// The outermost function around a node, or the node itself if it is one.
    fn function(&self, node: NodeId) -> Option<NodeId> {
        let path = std::iter::once(node).chain(self.tree.ancestors(node));
        path.filter(|&around| self.captures.is(around, FUNCTION))
            .last()
    }

    fn statement(&self, number: NodeId) -> Option<Statement> {
        if !self.captures.is(number, STATEMENT) || self.around[number] & WHOLE != 0 {
            return None;
        }
        let function = self.function(number)?;
        if self.broken.contains(&function) {
            return None;
        }
        let node = self.tree.node(number);
        let range = self.surface.origin_range(&node.range);
        // What was replaced or blanked out there is what the statement begins with.
        let start = self.surface.declaration_start(self.text, node.range.start);
        let hidden = start != range.start;
        let is_empty = matches!(&self.text[range.clone()], b"" | b";");
        if hidden || is_empty || self.text[start] != self.surface.text[node.range.start] {
            return None;
        }
        let removable = self.is_removable(number, &range);
        let alone = self.captures.is(number, BODY);
        Some(Statement {
            alone,
            removable,
            range: match alone && self.probing.semicolon_apart {
                true => range.start..self.end_with_semicolon(range.end),
                false => range,
            },
        })
    }

    /// Where a statement ends, with the semicolon that may follow.
    fn end_with_semicolon(&self, end: usize) -> usize {
        let rest = &self.text[end..];
        let blanks = rest.iter().take_while(|byte| b" \t".contains(byte)).count();
        match rest.get(blanks) {
            Some(b';') => end + blanks + 1,
            _ => end,
        }
    }

    fn is_removable(&self, number: NodeId, range: &Range<usize>) -> bool {
        if self.captures.is(number, KEPT) {
            return false;
        }
        let inside = number..self.tree.node(number).end;
        let enters = |node: NodeId| {
            let case_of_another = || {
                let mut path = std::iter::once(node).chain(self.tree.ancestors(node));
                !path
                    .by_ref()
                    .take_while(|&one| one >= number)
                    .any(|one| self.captures.is(one, SWITCH))
            };
            self.captures.is(node, LABEL)
                || self.captures.is(node, OUTLIVES)
                || (self.captures.is(node, CASE) && case_of_another())
        };
        if inside.clone().any(enters) {
            return false;
        }
        let piece = &self.text[range.clone()];
        let lasting = |word: &[u8]| {
            let known = self.probing.lasting.iter();
            self.labels.contains(word) || known.into_iter().any(|one| one.as_bytes() == word)
        };
        !words(piece).any(lasting)
            && !self.touches_directives(range)
            && !self.names_inferred(inside)
    }

    /// True if a directive is inside, or decides whether the statement is there.
    fn touches_directives(&self, range: &Range<usize>) -> bool {
        if !self.probing.has_directives {
            return false;
        }
        let meets = |other: &Range<usize>| other.start < range.end && range.start < other.end;
        let mut lines = self.text[range.clone()].split(|&byte| byte == b'\n');
        self.surface.conditional.iter().any(meets)
            || lines.any(|line| line.trim_ascii_start().starts_with(b"#"))
    }

    /// True if the type of a variable from outside may follow from what is inside.
    fn names_inferred(&self, inside: Range<NodeId>) -> bool {
        if self.inferred.is_empty() {
            return false;
        }
        let bytes = self.tree.node(inside.start).range.clone();
        inside.into_iter().any(|node| {
            let one = self.tree.node(node);
            let is_leaf = one.end == node + 1;
            let name = &self.surface.text[one.range.clone()];
            let outside = |(known, at): &(&[u8], usize)| *known == name && !bytes.contains(at);
            is_leaf && self.inferred.iter().any(outside)
        })
    }
}

/// The words of a text, comments and strings included.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.split(move |byte| !part(byte))
        .filter(|word| !word.is_empty())
}

/// What follows each `#define`, up to the end of the definition.
fn definitions(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let mut end = start;
        loop {
            let line = text[end..].iter().position(|&byte| byte == b'\n');
            end = line.map_or(text.len(), |line| end + line);
            let goes_on = text[start..end].trim_ascii_end().ends_with(b"\\");
            if end == text.len() || !goes_on {
                break;
            }
            end += 1;
        }
        let line = text[start..end].trim_ascii_start();
        if let Some(rest) = line.strip_prefix(b"#")
            && let Some(rest) = rest.trim_ascii_start().strip_prefix(b"define")
        {
            found.push(end - rest.len()..end);
        }
        start = end + 1;
    }
    found
}
