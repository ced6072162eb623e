//! The languages that can be read.

use tree_sitter::Language;

/// A language whose programs can be read.
#[derive(Clone, Copy, Debug)]
pub struct Grammar {
    /// Its name in target files and on the command line.
    pub name: &'static str,
    language: fn() -> Language,
}

/// All grammars.
pub const GRAMMARS: [Grammar; 9] = [
    Grammar {
        name: "c",
        language: || tree_sitter_c::LANGUAGE.into(),
    },
    Grammar {
        name: "cpp",
        language: || tree_sitter_cpp::LANGUAGE.into(),
    },
    Grammar {
        name: "solidity",
        language: || tree_sitter_solidity::LANGUAGE.into(),
    },
    Grammar {
        name: "lua",
        language: || tree_sitter_lua::LANGUAGE.into(),
    },
    Grammar {
        name: "javascript",
        language: || tree_sitter_javascript::LANGUAGE.into(),
    },
    Grammar {
        name: "rust",
        language: || tree_sitter_rust::LANGUAGE.into(),
    },
    Grammar {
        name: "scala",
        language: || tree_sitter_scala::LANGUAGE.into(),
    },
    Grammar {
        name: "awk",
        language: || arborium_awk::language().into(),
    },
    Grammar {
        name: "jq",
        language: || arborium_jq::language().into(),
    },
];

impl Grammar {
    /// The grammar of the language of that name.
    pub fn of(name: &str) -> Option<Grammar> {
        GRAMMARS.into_iter().find(|grammar| grammar.name == name)
    }

    pub(crate) fn language(&self) -> Language {
        (self.language)()
    }
}
