//! The table of languages that are known by their syntax.

use crate::{Grammar, ParseError, Surface, SyntaxTree};

/// A language known by its syntax.
#[derive(Clone, Copy, Debug)]
pub struct SyntaxLanguage {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) extensions: &'static [&'static str],
    pub(crate) line_comment: &'static str,
    /// What every expression may become.
    pub(crate) simplest: &'static str,
    /// What every type may become, where types are written.
    pub(crate) plain_type: Option<&'static str>,
    /// True if an edit must not leave names without their declarations.
    pub(crate) scoped: bool,
    surface: fn(&[u8]) -> Surface,
}

/// All languages that are known by their syntax.
pub const LANGUAGES: [SyntaxLanguage; 9] = [
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
    SyntaxLanguage {
        name: "scala",
        about: "Scala, by its syntax",
        extensions: &["scala"],
        line_comment: "//",
        simplest: "0",
        plain_type: None,
        scoped: false,
        surface: Surface::plain,
    },
    SyntaxLanguage {
        name: "awk",
        about: "awk, by its syntax",
        extensions: &["awk"],
        line_comment: "#",
        simplest: "0",
        plain_type: None,
        scoped: false,
        surface: Surface::plain,
    },
    SyntaxLanguage {
        name: "jq",
        about: "jq, by its syntax",
        extensions: &["jq"],
        line_comment: "#",
        simplest: "0",
        plain_type: None,
        scoped: false,
        surface: Surface::of_jq,
    },
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
}
