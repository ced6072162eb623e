//! Languages that are known by their syntax: well-formedness, smaller
//! programs, and what stays the same when names change.

use std::collections::{BTreeMap, BTreeSet};

use lydite_core::{Case, Claim, Edit, Language, Program};

use crate::edits::{Edits, Rewrite};
use crate::{Grammar, ParseError, Surface, SyntaxTree};

/// A language known by its syntax.
#[derive(Clone, Copy, Debug)]
pub struct SyntaxLanguage {
    name: &'static str,
    about: &'static str,
    extensions: &'static [&'static str],
    line_comment: &'static str,
    /// What every expression may become.
    pub(crate) simplest: &'static str,
    /// What every type may become, where types are written.
    pub(crate) plain_type: Option<&'static str>,
    /// True if an edit must not leave names without their declarations.
    pub(crate) scoped: bool,
    surface: fn(&[u8]) -> Surface,
}

/// All languages that are known by their syntax.
pub const LANGUAGES: [SyntaxLanguage; 6] = [
    SyntaxLanguage {
        name: "c",
        about: "C with what GNU adds, by its syntax",
        extensions: &["c"],
        line_comment: "//",
        simplest: "0",
        plain_type: Some("int"),
        scoped: true,
        surface: Surface::of_c,
    },
    SyntaxLanguage {
        name: "cpp",
        about: "C++, by its syntax",
        extensions: &["cpp", "cc", "cxx", "C"],
        line_comment: "//",
        simplest: "0",
        plain_type: Some("int"),
        scoped: false,
        surface: Surface::of_cpp,
    },
    SyntaxLanguage {
        name: "solidity",
        about: "Solidity, by its syntax",
        extensions: &["sol"],
        line_comment: "//",
        simplest: "0",
        plain_type: None,
        scoped: false,
        surface: Surface::plain,
    },
    SyntaxLanguage {
        name: "lua",
        about: "Lua, by its syntax",
        extensions: &["lua"],
        line_comment: "--",
        simplest: "0",
        plain_type: None,
        scoped: false,
        surface: Surface::plain,
    },
    SyntaxLanguage {
        name: "javascript",
        about: "JavaScript, by its syntax",
        extensions: &["js", "mjs"],
        line_comment: "//",
        simplest: "0",
        plain_type: None,
        scoped: false,
        surface: Surface::plain,
    },
    SyntaxLanguage {
        name: "rust",
        about: "Rust, by its syntax",
        extensions: &["rs"],
        line_comment: "//",
        simplest: "0",
        plain_type: None,
        scoped: false,
        surface: Surface::plain,
    },
];

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
    /// The language of that name.
    pub fn of(name: &str) -> Option<SyntaxLanguage> {
        LANGUAGES.into_iter().find(|language| language.name == name)
    }

    /// What the grammar makes of a text, and the text that it read.
    pub(crate) fn read(&self, text: &[u8]) -> Result<(SyntaxTree, Surface), ParseError> {
        let grammar = Grammar::of(self.name).expect("every language has a grammar");
        let surface = (self.surface)(text);
        Ok((SyntaxTree::parse(&grammar, &surface.text)?, surface))
    }

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
