//! From what a spec says to what the engine runs, and everything that can be
//! wrong on the way.

mod annotations;
pub(crate) mod classes;
mod control;
mod cycles;
pub(crate) mod definitions;
pub(crate) mod emit;
mod exhaustive;
mod names;
mod productions;
mod small;
mod texts;
pub(crate) mod types;
mod unused;

use super::compiled::Compiled;
use super::run::{Code, fuse};
use super::source::Source;
use super::syntax::File;
use definitions::Definitions;
use types::Problems;

/// Compiles the files of a spec; the first one is the prelude, the last one
/// the user's. What is wrong goes to `problems`, and makes it `None`.
pub(crate) fn compile(
    files: &[&File],
    sources: Vec<Source>,
    problems: &mut Problems,
) -> Option<Compiled> {
    let mut defs = Definitions::collect(files, problems);
    unused::check_types(files, &defs, problems);
    if problems.has_errors() {
        // What stands for two things, or for nothing, is wrong wherever it is used.
        return None;
    }
    let mut code = Code {
        tag_names: defs.tag_names.clone(),
        ..Code::default()
    };
    emit_functions(files, &defs, &mut code, problems);
    let calls = small::calls(&code);
    if !problems.has_errors() {
        // Once more: it is known now which of them are small.
        defs.small = small::find(files, &code, &calls);
        code = Code {
            tag_names: code.tag_names,
            ..Code::default()
        };
        emit_functions(files, &defs, &mut code, problems);
    }
    code.called.clear();
    let file = files.last().expect("there is the user's file");
    let grammar = classes::compile(file, &defs, &mut code, problems);
    if problems.has_errors() {
        return None;
    }
    unused::check_functions(files, &calls, &code.called, problems);
    fuse(&mut code);
    Some(Compiled {
        code,
        classes: grammar.classes,
        productions: grammar.productions,
        rules: grammar.rules,
        knobs: defs.knobs,
        texts: grammar.texts,
        output: grammar.output,
        sources,
    })
}

/// The code of all functions.
fn emit_functions(files: &[&File], defs: &Definitions, code: &mut Code, problems: &mut Problems) {
    let functions = files.iter().flat_map(|file| &file.functions);
    for (number, item) in functions.enumerate() {
        code.functions.push(code.ops.len() as u32);
        if let Some(body) = &item.body {
            emit::function(defs, number, body, code, problems);
        }
    }
}
