//! SQL, as all databases have it: by its tokens, brackets and keywords, since
//! no two databases have the same grammar.

mod columns;
mod edits;
mod equals;
mod outline;
mod token;

use std::collections::{BTreeMap, BTreeSet};

use lydite_core::{Case, Claim, Edit, Language, Program};

use token::{Kind, Token, tokens};

/// The language SQL.
#[derive(Clone, Copy, Debug)]
pub struct Sql;

/// Words that are no names, in the order of the alphabet.
const KEYWORDS: [&str; 88] = [
    "ALL", "ALTER", "AND", "AS", "ASC", "BEGIN", "BETWEEN", "BIGINT", "BY", "CASE", "CAST",
    "CHECK", "COLLATE", "COLUMN", "COMMIT", "CONSTRAINT", "CREATE", "CROSS", "CURRENT", "DEFAULT",
    "DELETE", "DESC", "DISTINCT", "DROP", "ELSE", "END", "ESCAPE", "EXCEPT", "EXISTS", "FALSE",
    "FILTER", "FOLLOWING", "FOREIGN", "FROM", "FULL", "GROUP", "HAVING", "IF", "IN", "INDEX",
    "INNER", "INSERT", "INT", "INTEGER", "INTERSECT", "INTO", "IS", "JOIN", "KEY", "LATERAL",
    "LEFT", "LIKE", "LIMIT", "NATURAL", "NOT", "NULL", "OFFSET", "ON", "OR", "ORDER", "OUTER",
    "OVER", "PARTITION", "PRECEDING", "PRIMARY", "RANGE", "RECURSIVE", "REFERENCES", "REPLACE",
    "RETURNING", "RIGHT", "ROWS", "SELECT", "SET", "TABLE", "TEMPORARY", "TEXT", "THEN", "TRIGGER",
    "TRUE", "UNION", "UNIQUE", "UPDATE", "VALUES", "VIEW", "WHEN", "WHERE", "WITH",
];

/// What a token is to a reader.
enum Reading {
    Keyword(String),
    /// Of a function, or of a type that takes a size.
    Called(String),
    Name(String),
    Other(String),
}

/// The tokens of a program as they are read.
fn readings(program: &Program) -> Vec<Reading> {
    let text = &program.source().text;
    let all = tokens(text);
    let said = |token: &Token| String::from_utf8_lossy(&text[token.range.clone()]).into_owned();
    let reading = |(at, token): (usize, &Token)| {
        let bytes = said(token);
        if token.kind != Kind::Word {
            return Reading::Other(bytes);
        }
        let upper = bytes.to_ascii_uppercase();
        let called = all.get(at + 1).is_some_and(|next| said(next) == "(");
        match KEYWORDS.binary_search(&upper.as_str()) {
            Ok(_) => Reading::Keyword(upper),
            Err(_) if called => Reading::Called(upper),
            Err(_) => Reading::Name(bytes),
        }
    };
    all.iter().enumerate().map(reading).collect()
}

impl Language for Sql {
    fn name(&self) -> &'static str {
        "sql"
    }

    fn about(&self) -> &'static str {
        "SQL, by its tokens and brackets"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sql"]
    }

    fn line_comment(&self) -> &'static str {
        "--"
    }

    /// Databases differ in what they read, so all passes here.
    fn check(&self, _program: &Program) -> Result<(), String> {
        Ok(())
    }

    fn upholds(&self, case: &Case) -> bool {
        case.claim == Claim::Silent
    }

    /// Keywords, functions and operators.
    fn constructs(&self, program: &Program) -> BTreeSet<String> {
        let readings = readings(program).into_iter();
        let constructs = readings.filter_map(|reading| match reading {
            Reading::Keyword(word) | Reading::Called(word) => Some(word),
            Reading::Other(mark) => {
                let is_operator = mark.bytes().all(|byte| b"<>=!|+-*/%".contains(&byte));
                is_operator.then_some(mark)
            }
            Reading::Name(_) => None,
        });
        constructs.collect()
    }

    /// Tokens; names by the order in which they come.
    fn fingerprint(&self, program: &Program) -> String {
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let words = readings(program).into_iter().map(|reading| match reading {
            Reading::Keyword(word) | Reading::Called(word) | Reading::Other(word) => word,
            Reading::Name(name) => {
                let next = names.len();
                format!("#{}", names.entry(name).or_insert(next))
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn edits<'a>(&'a self, program: &'a Program) -> Box<dyn Iterator<Item = Edit> + 'a> {
        Box::new(edits::edits(program))
    }

    fn edits_of_equals<'a>(
        &'a self,
        programs: &'a [Program],
    ) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + 'a> {
        match programs.len() {
            0 | 1 => Box::new(std::iter::empty()),
            _ => Box::new(equals::edits(programs)),
        }
    }
}

#[cfg(test)]
mod tests;
