//! Writing scripts: compact, one command a line; what is written reads back
//! to the same script. See [`fn@pretty`] for people's eyes and [`Dialect`] for
//! solvers that want other names.
//!
//! Everything is streamed through a stack of pending work, never recursive.

mod compact;
mod dialect;
mod pretty;
mod writer;

use std::fmt::{self, Write};

pub use dialect::Dialect;
pub use pretty::{pretty, pretty_term};

use crate::operators::Operators;
use crate::syntax::{Command, CommandKind, IdentifierId, Script, SexprId, SortId, Symbol, TermId};
use writer::Writer;

/// The whole script, one command a line.
pub fn script(script: &Script) -> String {
    to_string(|out| write_script(script, Dialect::AsWritten, out))
}

/// The whole script in the names that `dialect` knows.
pub fn script_for(script: &Script, dialect: Dialect) -> String {
    to_string(|out| write_script(script, dialect, out))
}

/// The whole script in the names that `dialect` knows, as `operators` has them.
pub fn script_in(script: &Script, dialect: Dialect, operators: &Operators) -> String {
    to_string(|out| write_commands(Writer::with(script, dialect, operators, out)))
}

/// One term.
pub fn term(script: &Script, term: TermId) -> String {
    to_string(|out| Writer::new(script, Dialect::AsWritten, out).term(term))
}

/// One command, without a line end.
pub fn command(script: &Script, command: &Command) -> String {
    to_string(|out| Writer::new(script, Dialect::AsWritten, out).command(command))
}

/// One sort.
pub fn sort(script: &Script, sort: SortId) -> String {
    to_string(|out| Writer::new(script, Dialect::AsWritten, out).sort(sort))
}

/// One identifier.
pub fn identifier(script: &Script, identifier: IdentifierId) -> String {
    to_string(|out| Writer::new(script, Dialect::AsWritten, out).identifier(identifier))
}

/// One raw s-expression.
pub fn sexpr(script: &Script, sexpr: SexprId) -> String {
    to_string(|out| Writer::new(script, Dialect::AsWritten, out).sexpr(sexpr))
}

/// One symbol, in bars if it needs them.
pub fn symbol(script: &Script, symbol: Symbol) -> String {
    quoted(script.name(symbol))
}

/// A name as a symbol, in bars if it needs them.
pub fn quoted(name: &str) -> String {
    to_string(|out| writer::write_symbol(name, out))
}

/// Streams the whole script, one command a line.
pub fn write_script<W: Write>(script: &Script, dialect: Dialect, out: &mut W) -> fmt::Result {
    write_commands(Writer::new(script, dialect, out))
}

fn write_commands<W: Write>(mut writer: Writer<'_, W>) -> fmt::Result {
    let asks_once = writer.names.asks_once(writer.script);
    let mut asked = 0;
    for command in &writer.script.commands {
        asked += usize::from(matches!(command.kind, CommandKind::CheckSat(_)));
        if asks_once && asked > 1 || writer.names.leaves_out(writer.script, &command.kind) {
            continue;
        }
        writer.command(command)?;
        writer.out.write_char('\n')?;
    }
    Ok(())
}

fn to_string(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut text = String::new();
    write(&mut text).expect("writing to a string cannot fail");
    text
}
