//! The table of fusion functions as it is written: blocks, not yet for any
//! sort in particular. `functions.txt` says what the form means.

use crate::print;
use crate::syntax::{
    self, Command, CommandKind, Kind, Lexer, Script, Term, TermId, is_simple_symbol,
};
use crate::table::{self, TableError};

/// A name of a block and its sort as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) name: String,
    pub(super) sort: String,
    /// What it is computed from; none for what is declared.
    pub(super) value: Option<String>,
}

/// A fusion function with its inversions, as text in which letters stand for
/// sorts and numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The line of its `#begin`.
    pub(super) line: usize,
    /// The sorts of x, y and z.
    pub(super) sorts: [String; 3],
    /// Random and computed constants, in the order of the text.
    pub(super) constants: Vec<Name>,
    /// Fresh variables.
    pub(super) fresh: Vec<Name>,
    /// What z is.
    pub(super) fusion: String,
    /// What recovers x and y.
    pub(super) inversions: [Option<String>; 2],
    /// What must hold of the constants.
    pub(super) constant_conditions: Vec<String>,
    /// What must hold of x and y; a block with such makes unsat cases only.
    pub(super) conditions: Vec<String>,
}

/// The variables that every block is about.
pub(super) const VARIABLES: [&str; 3] = ["x", "y", "z"];

/// Reads all blocks of a table.
pub(super) fn read(text: &str) -> Result<Vec<Block>, TableError> {
    let blocks = table::blocks("fusion functions", text)?;
    let read = |(line, text): &(usize, String)| read_block(*line, text);
    blocks.iter().map(read).collect()
}

/// What is wrong with a block, at this line.
pub(super) fn flaw(line: usize, problem: String) -> TableError {
    TableError {
        table: "fusion functions",
        line,
        problem,
    }
}

fn read_block(line: usize, text: &str) -> Result<Block, TableError> {
    let flaw = |problem: String| flaw(line, problem);
    let script = syntax::parse_str(text)
        .map_err(|error| self::flaw(line + error.place.line, error.problem.to_string()))?;
    if let Some(binder) = script.terms().find(|&t| binds(&script, t)) {
        let shown = print::term(&script, binder);
        return Err(flaw(format!(
            "`{shown}` binds variables, which may hide those of a seed"
        )));
    }
    let mut reading = Reading::default();
    for command in &script.commands {
        reading.command(&script, command).map_err(flaw)?;
    }
    reading.block(line).map_err(flaw)
}

fn binds(script: &Script, term: TermId) -> bool {
    let form = script.term(term);
    matches!(
        form,
        Term::Let { .. } | Term::Bind { .. } | Term::Match { .. }
    )
}

/// A block that is being read.
#[derive(Default)]
struct Reading {
    sorts: [Option<String>; 3],
    equations: [Option<String>; 3],
    constants: Vec<Name>,
    fresh: Vec<Name>,
    constant_conditions: Vec<String>,
    conditions: Vec<String>,
}

impl Reading {
    fn command(&mut self, script: &Script, command: &Command) -> Result<(), String> {
        match &command.kind {
            CommandKind::DeclareConst(symbol, sort) => {
                self.declare(script.name(*symbol), print::sort(script, *sort))
            }
            CommandKind::DeclareFun(symbol, arguments, sort) if arguments.is_empty() => {
                self.declare(script.name(*symbol), print::sort(script, *sort))
            }
            CommandKind::DefineConst(definition) | CommandKind::DefineFun(definition)
                if definition.parameters.is_empty() =>
            {
                let value = print::term(script, definition.body);
                let name = script.name(definition.symbol);
                self.only(&value, |reading, word| reading.is_constant(word))?;
                self.new_name(name)?;
                self.constants.push(Name {
                    name: name.to_string(),
                    sort: print::sort(script, definition.sort),
                    value: Some(value),
                });
                Ok(())
            }
            CommandKind::Assert(term) => self.assert(script, *term),
            _ => Err(format!(
                "`{}` has no place in a block (declare-const, define-const, assert)",
                print::command(script, command)
            )),
        }
    }

    fn new_name(&self, name: &str) -> Result<(), String> {
        let declared = VARIABLES.iter().zip(&self.sorts);
        let variable = declared
            .into_iter()
            .any(|(v, sort)| *v == name && sort.is_some());
        let known = |names: &[Name]| names.iter().any(|known| known.name == name);
        if !is_simple_symbol(name) {
            return Err(format!("`{name}`: names in a block must do without bars"));
        }
        match variable || known(&self.constants) || known(&self.fresh) {
            true => Err(format!("`{name}` is declared twice")),
            false => Ok(()),
        }
    }

    fn declare(&mut self, name: &str, sort: String) -> Result<(), String> {
        self.new_name(name)?;
        if let Some(at) = VARIABLES.iter().position(|v| *v == name) {
            self.sorts[at] = Some(sort);
            return Ok(());
        }
        let constant = name.strip_prefix('c');
        let constant = constant.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
        if constant && tokens(&sort).any(is_sort_letter) {
            return Err(format!(
                "constant `{name}` is of any sort, of which no value is known"
            ));
        }
        let names = match constant {
            true => &mut self.constants,
            false => &mut self.fresh,
        };
        names.push(Name {
            name: name.to_string(),
            sort,
            value: None,
        });
        Ok(())
    }

    fn is_constant(&self, word: &str) -> bool {
        self.constants.iter().any(|constant| constant.name == word)
    }

    /// True for every name that the block declares.
    fn is_own(&self, word: &str) -> bool {
        VARIABLES.contains(&word)
            || self.is_constant(word)
            || self.fresh.iter().any(|fresh| fresh.name == word)
    }

    /// `Err` names the first own word of `term` that is not `allowed`.
    fn only(&self, term: &str, allowed: impl Fn(&Reading, &str) -> bool) -> Result<(), String> {
        let mut words = tokens(term).filter(|word| self.is_own(word));
        match words.find(|word| !allowed(self, word)) {
            None => Ok(()),
            Some(word) => Err(format!("`{term}` must not mention `{word}`")),
        }
    }

    fn assert(&mut self, script: &Script, term: TermId) -> Result<(), String> {
        let text = print::term(script, term);
        if let Term::Application { head, arguments } = script.term(term)
            && script.name(script.identifier(head).symbol) == "="
            && let Some(at) = arguments.first().and_then(|&left| variable(script, left))
        {
            let &[_, right] = arguments else {
                return Err(format!(
                    "`{text}` is not of the form (= {} term)",
                    VARIABLES[at]
                ));
            };
            let right = print::term(script, right);
            let mentions = |name: &str| tokens(&right).any(|word| word == name);
            match at {
                2 if mentions("z") => return Err(format!("`{text}` says z by z itself")),
                2 if !mentions("x") && !mentions("y") => {
                    return Err(format!("`{text}` mentions neither x nor y"));
                }
                0 | 1 if !mentions("z") => {
                    return Err(format!("`{text}` does not mention z"));
                }
                _ => {}
            }
            return match self.equations[at].replace(right) {
                Some(_) => Err(format!("`{}` has two equations", VARIABLES[at])),
                None => Ok(()),
            };
        }
        let of_constants = tokens(&text)
            .filter(|word| self.is_own(word))
            .all(|word| self.is_constant(word));
        if of_constants {
            self.constant_conditions.push(text);
        } else {
            self.only(&text, |reading, word| {
                word == "x" || word == "y" || reading.is_constant(word)
            })?;
            self.conditions.push(text);
        }
        Ok(())
    }

    fn block(self, line: usize) -> Result<Block, String> {
        let [x, y, z] = self.sorts;
        let sort = |sort: Option<String>, name: &str| {
            sort.ok_or_else(|| format!("`{name}` is not declared"))
        };
        let sorts = [sort(x, "x")?, sort(y, "y")?, sort(z, "z")?];
        let [x, y, z] = self.equations;
        let fusion = z.ok_or("no fusion function: (assert (= z term))")?;
        if x.is_none() && y.is_none() {
            return Err("no inversion function: (assert (= x term)), (assert (= y term))".into());
        }
        Ok(Block {
            line,
            sorts,
            constants: self.constants,
            fresh: self.fresh,
            fusion,
            inversions: [x, y],
            constant_conditions: self.constant_conditions,
            conditions: self.conditions,
        })
    }
}

/// Which of x, y and z a term is.
fn variable(script: &Script, term: TermId) -> Option<usize> {
    match script.term(term) {
        Term::Application {
            head,
            arguments: [],
        } => {
            let name = script.name(script.identifier(head).symbol);
            VARIABLES.iter().position(|v| *v == name)
        }
        _ => None,
    }
}

/// True if a word stands for any sort.
pub(super) fn is_sort_letter(word: &str) -> bool {
    matches!(word.as_bytes(), [letter] if letter.is_ascii_uppercase())
}

/// The parentheses and words of a text, each as it is written.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut lexer = Lexer::new(text);
    std::iter::from_fn(move || {
        let token = lexer.next().ok()?;
        match token.kind {
            Kind::End => None,
            _ => Some(&text[token.offset as usize..lexer.position]),
        }
    })
}
