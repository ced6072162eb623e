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
    let defs = Definitions::collect(files, problems);
    unused::check_types(files, &defs, problems);
    if problems.has_errors() {
        // What stands for two things, or for nothing, is wrong wherever it is used.
        return None;
    }
    let mut code = Code {
        tag_names: defs.tag_names.clone(),
        ..Code::default()
    };
    let functions = files.iter().flat_map(|file| &file.functions);
    for (number, item) in functions.enumerate() {
        code.functions.push(code.ops.len() as u32);
        if let Some(body) = &item.body {
            emit::function(&defs, number, body, &mut code, problems);
        }
    }
    let functions_end = code.ops.len();
    let file = files.last().expect("there is the user's file");
    let grammar = classes::compile(file, &defs, &mut code, problems);
    if problems.has_errors() {
        return None;
    }
    unused::check_functions(files, &code, functions_end, problems);
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
