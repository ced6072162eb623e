//! Names and escapes that solvers of different ages want.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use crate::operators::{OperatorId, Operators, Pattern, Speaker};
use crate::sort::{SortRow, Values};
use crate::syntax::{AttributeValue, Command, CommandKind, Script, Symbol, declared_symbols};

/// Whose names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Every name as the script has it.
    #[default]
    AsWritten,
    /// SMT-LIB 2.6: z3 from 4.8.9 on, cvc5.
    Standard,
    /// Every name as the script has it, and no commands that only z3 has where
    /// another asks the same: `(check-sat-using T)` is `(check-sat)`. Objectives are
    /// left out, and where z3 answers one question after the other about them (the
    /// points of a front), others are asked once.
    Plain,
    /// z3 before 4.8.9, and cvc4 before 1.8: `str.to.int` and its like.
    Old,
    /// z3's own names where it has others: finite sets.
    Z3,
}

/// Stands for a string with characters above 255 in the old dialect, which has none. No solver
/// knows the name, so the script is refused, and nobody is held to what it means.
pub(super) const NO_OLD_FORM: &str = "str.above_255";

/// What cvc4 calls the logic of everything, and what it is called today.
const LOGICS: [(&str, &str); 2] = [("ALL_SUPPORTED", "ALL"), ("QF_ALL_SUPPORTED", "QF_ALL")];

/// What each name of a script is written as.
pub(super) struct Names<'a> {
    dialect: Dialect,
    replaced: Vec<(Symbol, &'a str)>,
    /// `is-C` and `C`: the standard writes `(_ is C)`.
    testers: BTreeMap<Symbol, Symbol>,
}

impl<'a> Names<'a> {
    pub(super) fn new(script: &Script, dialect: Dialect, table: &'a Operators) -> Names<'a> {
        let aliases = table.aliases().iter().filter(|alias| {
            // Old set names also name z3's arrays; only sorts could tell.
            alias.speaker != Speaker::All
                || table
                    .named(&alias.target)
                    .iter()
                    .all(|&id| table.get(id).theory != "sets")
        });
        let pairs: Vec<(&str, &'a str)> = match dialect {
            Dialect::AsWritten | Dialect::Plain => Vec::new(),
            Dialect::Standard => aliases
                .map(|alias| (alias.name.as_str(), alias.target.as_str()))
                .chain(spoken_sorts(table).map(|(row, values)| (row.name.as_str(), values.name())))
                .chain(LOGICS)
                .collect(),
            Dialect::Z3 => aliases
                .filter(|alias| alias.speaker == Speaker::Z3)
                .map(|alias| (alias.target.as_str(), alias.name.as_str()))
                .chain(
                    spoken_sorts(table)
                        .filter(|(row, values)| {
                            row.speaker == Speaker::Z3 && speaks_of(script, table, values)
                        })
                        .map(|(row, values)| (values.name(), row.name.as_str())),
                )
                .chain(LOGICS)
                .collect(),
            Dialect::Old => aliases
                .filter(|alias| alias.old)
                .map(|alias| (alias.target.as_str(), alias.name.as_str()))
                .collect(),
        };
        let declared = match dialect {
            Dialect::AsWritten | Dialect::Plain => BTreeSet::new(),
            Dialect::Standard | Dialect::Old | Dialect::Z3 => declared(script),
        };
        let replaced = pairs
            .into_iter()
            .filter_map(|(from, to)| Some((script.symbols().find(from)?, to)))
            .filter(|(symbol, _)| !declared.contains(symbol))
            .collect();
        let testers = match dialect {
            Dialect::Standard => testers(script, &declared),
            Dialect::AsWritten | Dialect::Old | Dialect::Plain | Dialect::Z3 => BTreeMap::new(),
        };
        Names {
            dialect,
            replaced,
            testers,
        }
    }

    /// The constructor that `symbol` tests for, if it has to be written so.
    pub(super) fn tested_by(&self, symbol: Symbol) -> Option<Symbol> {
        self.testers.get(&symbol).copied()
    }

    /// True if datatypes are declared in the standard's way whatever the script does.
    pub(super) fn standard_datatypes(&self) -> bool {
        self.dialect == Dialect::Standard
    }

    /// True if how a question is to be answered is left to the solver: tactics
    /// are z3's alone.
    pub(super) fn leaves_tactics_out(&self) -> bool {
        matches!(self.dialect, Dialect::Standard | Dialect::Plain)
    }

    /// True for commands that only z3 has and that change no answer, and for the
    /// questions that follow on z3's first about a front.
    pub(super) fn leaves_out(&self, script: &Script, command: &CommandKind) -> bool {
        let is_option = |keyword: Symbol| script.name(keyword).starts_with(":opt.");
        self.leaves_tactics_out()
            && match command {
                CommandKind::AssertSoft(..)
                | CommandKind::Minimize(..)
                | CommandKind::Maximize(..) => true,
                CommandKind::SetOption(attribute) => is_option(attribute.keyword),
                CommandKind::Word(word) => script.name(*word) == "get-objectives",
                _ => false,
            }
    }

    /// True if only the first question is put: z3 answers each with another optimum,
    /// and at last with `unsat`.
    pub(super) fn asks_once(&self, script: &Script) -> bool {
        let is_priority = |command: &Command| match &command.kind {
            CommandKind::SetOption(attribute) => match attribute.value {
                AttributeValue::Sexpr(value)
                    if script.name(attribute.keyword) == ":opt.priority" =>
                {
                    matches!(super::sexpr(script, value).as_str(), "box" | "pareto")
                }
                _ => false,
            },
            _ => false,
        };
        self.leaves_tactics_out() && script.commands.iter().any(is_priority)
    }

    pub(super) fn of(&self, script: &'a Script, symbol: Symbol) -> &'a str {
        self.replaced
            .iter()
            .find(|(from, _)| *from == symbol)
            .map_or_else(|| script.name(symbol), |&(_, to)| to)
    }

    /// True if a string literal has a character that the dialect has not.
    pub(super) fn cannot_write(&self, text: &str) -> bool {
        let wide = |(at, _): (usize, &str)| escape(&text[at..]).is_some_and(|(code, _)| code > 255);
        self.dialect == Dialect::Old && text.match_indices("\\u").any(wide)
    }

    /// The inside of a string literal. `\u{41}` was `\x41` before the
    /// standard; what has no two hexadecimal digits has no old form.
    pub(super) fn write_string<W: Write>(&self, text: &str, out: &mut W) -> fmt::Result {
        if self.dialect != Dialect::Old {
            return out.write_str(text);
        }
        let mut rest = text;
        while let Some(at) = rest.find("\\u") {
            out.write_str(&rest[..at])?;
            rest = &rest[at..];
            match escape(rest) {
                Some((code, len)) if code < 256 => {
                    write!(out, "\\x{code:02x}")?;
                    rest = &rest[len..];
                }
                _ => {
                    out.write_str("\\u")?;
                    rest = &rest[2..];
                }
            }
        }
        out.write_str(rest)
    }
}

/// The sorts that one solver calls by another name, and what values they have.
fn spoken_sorts(table: &Operators) -> impl Iterator<Item = (&SortRow, &Values)> {
    let spoken = |row: &&SortRow| row.speaker != Speaker::All;
    let rows = table.sorts().iter().filter(spoken);
    rows.filter_map(|row| Some((row, row.other_name_of()?)))
}

/// True if the script has an operator that is about such values only: the sort
/// alone may be an array for somebody else.
fn speaks_of(script: &Script, table: &Operators, values: &Values) -> bool {
    let about = |&id: &OperatorId| {
        let operator = table.get(id);
        let mut sorts = operator.parameters.iter().chain([&operator.result]);
        sorts.any(|sort| matches!(sort, Pattern::Made(made, ..) if made == values))
    };
    table
        .names()
        .any(|name| script.symbols().find(name).is_some() && table.named(name).iter().all(about))
}

fn testers(script: &Script, declared: &BTreeSet<Symbol>) -> BTreeMap<Symbol, Symbol> {
    let mut found = BTreeMap::new();
    for command in &script.commands {
        let CommandKind::DeclareDatatypes(_, _, datatypes) = &command.kind else {
            continue;
        };
        for constructor in datatypes.iter().flat_map(|d| &d.constructors) {
            let name = format!("is-{}", script.name(constructor.symbol));
            if let Some(tester) = script.symbols().find(&name)
                && !declared.contains(&tester)
            {
                found.insert(tester, constructor.symbol);
            }
        }
    }
    found
}

/// The code point of `\u{X…}` or `\uXXXX` at the start of `text`, and the
/// length of the escape.
fn escape(text: &str) -> Option<(u32, usize)> {
    let digits = text.strip_prefix("\\u")?;
    if let Some(braced) = digits.strip_prefix('{') {
        let len = braced.find('}').filter(|len| (1..=5).contains(len))?;
        let code = u32::from_str_radix(&braced[..len], 16).ok()?;
        return Some((code, len + 4));
    }
    let code = u32::from_str_radix(digits.get(..4)?, 16).ok()?;
    Some((code, 6))
}

fn declared(script: &Script) -> BTreeSet<Symbol> {
    let commands = script.commands.iter();
    commands.filter_map(declared_symbols).flatten().collect()
}
