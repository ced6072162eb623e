//! The languages that skeletons are made of.

use std::sync::OnceLock;

use lydite_syntax::{Grammar, Query, Surface};

use super::c_types;

/// From where on a variable can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// From the end of its declarator: `int a = 1, b = a;`.
    AfterDeclarator,
    /// From the end of the whole declaration: `local a, b = 1, 2`.
    AfterDeclaration,
}

/// How the types of variables are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Types {
    /// By specifiers and declarator, as in C.
    Declarators,
    /// By the text of the node captured as `@type`.
    Nodes,
    /// Not at all.
    None,
}

/// What is special about a language.
pub struct Dialect {
    /// The language's name.
    pub language: &'static str,
    query: &'static str,
    pub(crate) surface: fn(&[u8]) -> Surface,
    pub(crate) sight: Sight,
    pub(crate) types: Types,
    /// The family of implicitly convertible types that a type is in.
    pub(crate) family: fn(&str) -> Option<&'static str>,
    compiled: OnceLock<Query>,
}

/// All dialects.
pub static DIALECTS: [Dialect; 9] = [
    Dialect {
        language: "c",
        query: include_str!("../../../../queries/c.scm"),
        surface: Surface::of_c,
        sight: Sight::AfterDeclarator,
        types: Types::Declarators,
        family: c_types::family,
        compiled: OnceLock::new(),
    },
    Dialect {
        language: "cpp",
        query: include_str!("../../../../queries/cpp.scm"),
        surface: Surface::of_cpp,
        sight: Sight::AfterDeclarator,
        types: Types::Declarators,
        family: c_types::family,
        compiled: OnceLock::new(),
    },
    Dialect {
        language: "solidity",
        query: include_str!("../../../../queries/solidity.scm"),
        surface: Surface::plain,
        sight: Sight::AfterDeclaration,
        types: Types::Nodes,
        family: solidity_family,
        compiled: OnceLock::new(),
    },
    Dialect {
        language: "lua",
        query: include_str!("../../../../queries/lua.scm"),
        surface: Surface::plain,
        sight: Sight::AfterDeclaration,
        types: Types::None,
        family: no_family,
        compiled: OnceLock::new(),
    },
    Dialect {
        language: "javascript",
        query: include_str!("../../../../queries/javascript.scm"),
        surface: Surface::plain,
        sight: Sight::AfterDeclaration,
        types: Types::None,
        family: no_family,
        compiled: OnceLock::new(),
    },
    Dialect {
        language: "rust",
        query: include_str!("../../../../queries/rust.scm"),
        surface: Surface::plain,
        sight: Sight::AfterDeclaration,
        types: Types::Nodes,
        family: no_family,
        compiled: OnceLock::new(),
    },
    Dialect {
        language: "scala",
        query: include_str!("../../../../queries/scala.scm"),
        surface: Surface::plain,
        sight: Sight::AfterDeclaration,
        types: Types::Nodes,
        family: no_family,
        compiled: OnceLock::new(),
    },
    Dialect {
        language: "awk",
        query: include_str!("../../../../queries/awk.scm"),
        surface: Surface::plain,
        sight: Sight::AfterDeclaration,
        types: Types::None,
        family: no_family,
        compiled: OnceLock::new(),
    },
    Dialect {
        language: "jq",
        query: include_str!("../../../../queries/jq.scm"),
        surface: Surface::of_jq,
        sight: Sight::AfterDeclaration,
        types: Types::None,
        family: no_family,
        compiled: OnceLock::new(),
    },
];

/// Nothing converts.
fn no_family(_: &str) -> Option<&'static str> {
    None
}

/// Solidity converts integers to larger ones only: every integer of a width
/// is its own type, but for the two names of the widest.
fn solidity_family(type_text: &str) -> Option<&'static str> {
    match type_text {
        "uint" | "uint256" => Some("uint256"),
        "int" | "int256" => Some("int256"),
        _ => None,
    }
}

impl Dialect {
    /// The dialect of the language of that name.
    pub fn of(language: &str) -> Option<&'static Dialect> {
        DIALECTS.iter().find(|dialect| dialect.language == language)
    }

    pub(crate) fn grammar(&self) -> Grammar {
        Grammar::of(self.language).expect("every dialect has a grammar")
    }

    pub(crate) fn query(&self) -> &Query {
        self.compiled.get_or_init(|| {
            Query::new(&self.grammar(), self.query).expect("a query of ours, tested")
        })
    }
}
