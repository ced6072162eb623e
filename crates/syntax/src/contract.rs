//! What the workbench wants of a language, for those that are known by their syntax:
//! well-formedness, smaller programs, and what stays the same when names change.

use std::collections::{BTreeMap, BTreeSet};

use lydite_core::{Case, Claim, Edit, Language, Program};

use crate::edits::{Edits, Rewrite};
use crate::{Surface, SyntaxLanguage, SyntaxTree};

/// Kinds of nodes, and tokens, that say what a program is about.
const FEATURES: &[(&str, &str)] = &[
    ("bitfield_clause", "bit-field"),
    ("double", "floating"),
    ("float", "floating"),
    ("goto_statement", "goto"),
    ("switch_statement", "switch"),
    ("union_specifier", "union"),
    ("struct_specifier", "struct"),
    ("volatile", "volatile"),
    ("array_declarator", "array"),
    ("pointer_expression", "pointer"),
];

impl SyntaxLanguage {
    /// The edits of a program ([`Language::edits`]), each with what it does to
    /// the text.
    pub fn rewrites(&self, program: &Program) -> impl Iterator<Item = Rewrite> + use<> {
        Edits::of(*self, program)
    }

    fn tree(&self, program: &Program) -> Option<(SyntaxTree, Surface)> {
        self.read(&program.source().text).ok()
    }
}

impl Language for SyntaxLanguage {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn line_comment(&self) -> &'static str {
        self.line_comment
    }

    fn check(&self, program: &Program) -> Result<(), String> {
        let text = &program.source().text;
        let (tree, surface) = self.read(text).map_err(|error| error.to_string())?;
        let Some(error) = tree.first_error() else {
            return Ok(());
        };
        let at = surface.origin(error.range.start).min(text.len());
        let line = 1 + text[..at].iter().filter(|&&byte| byte == b'\n').count();
        Err(format!("line {line} is not {}", self.name))
    }

    fn upholds(&self, case: &Case) -> bool {
        case.claim == Claim::Silent
    }

    /// The kinds of nodes that hold others.
    fn constructs(&self, program: &Program) -> BTreeSet<String> {
        let Some((tree, _)) = self.tree(program) else {
            return BTreeSet::new();
        };
        let nodes = tree.nodes().iter().enumerate();
        let inner = nodes.filter(|(number, node)| node.end > number + 1);
        inner
            .map(|(number, _)| tree.kind(number).to_string())
            .collect()
    }

    fn features(&self, program: &Program) -> Vec<String> {
        let Some((tree, surface)) = self.tree(program) else {
            return Vec::new();
        };
        let mut features: BTreeSet<&str> = BTreeSet::new();
        for (number, node) in tree.nodes().iter().enumerate() {
            let token = &surface.text[node.range.clone()];
            let (kind, leaf) = (tree.kind(number), node.end == number + 1);
            let fits =
                |(known, _): &&(&str, &str)| *known == kind || leaf && known.as_bytes() == token;
            features.extend(FEATURES.iter().find(fits).map(|(_, feature)| *feature));
        }
        features.into_iter().map(str::to_string).collect()
    }

    /// Tokens without comments; names by the order in which they come.
    fn fingerprint(&self, program: &Program) -> String {
        let Some((tree, surface)) = self.tree(program) else {
            return String::from_utf8_lossy(&program.source().text).into_owned();
        };
        let mut names: BTreeMap<&[u8], usize> = BTreeMap::new();
        let mut words: Vec<String> = Vec::new();
        for (number, node) in tree.nodes().iter().enumerate() {
            let kind = tree.kind(number);
            if node.end != number + 1 || node.range.is_empty() || kind == "comment" {
                continue;
            }
            let text = &surface.text[node.range.clone()];
            words.push(match kind.ends_with("identifier") {
                true => {
                    let next = names.len();
                    format!("#{}", names.entry(text).or_insert(next))
                }
                false => String::from_utf8_lossy(text).into_owned(),
            });
        }
        words.join(" ")
    }

    fn knows_syntax_alone(&self) -> bool {
        true
    }

    fn edits<'a>(&'a self, program: &'a Program) -> Box<dyn Iterator<Item = Edit> + 'a> {
        Box::new(self.rewrites(program).map(|rewrite| rewrite.edit))
    }
}

#[cfg(test)]
mod tests;
