//! Whether C leaves open what a program means, where no sanitizer tells.
//!
//! Compilers differ there, by right, so nobody can be accused:
//!
//! - the order of evaluation, where it matters ([`order`]);
//! - whether string literals of equal text (or end) are one object, where a
//!   program has two of them outside of calls;
//! - what `restrict` promises, wherever a function of the program says it;
//! - what a pointer shows that outlives one round of a loop (of `goto`, too), where
//!   it is the address of a variable of that round;
//! - whether an argument has the type that it is read as, where no prototype says
//!   it (`va_arg`, `int f();`);
//! - what locals hold after a second return of `setjmp`; the hour; how floats are
//!   rounded where a program changes that;
//! - what assembly does, and where labels are;
//! - how far a compiler sees (`__builtin_constant_p`);
//! - which number an address is, where it becomes one or is printed;
//! - pragmas, and conditions about who compiles ([`find_open_directive`], of the
//!   text before it is preprocessed).
//!
//! All of it errs on the side of finding something. The text is to be preprocessed:
//! macros hide what is evaluated. Nothing recurses, however deep a text nests.

mod directives;
mod effects;
mod order;
mod places;
mod promises;

pub use directives::find_open_directive;

use crate::{Grammar, NodeId, ParseError, Surface, SyntaxTree};

/// What a program means, as far as the language says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// One thing, as far as is looked at here.
    Fixed,
    /// One thing or another; the part where that shows.
    Open(String),
    /// The text is not understood: a part of a function, or it is too large.
    Unclear(String),
}

/// Says whether the meaning of a preprocessed C program is open.
pub fn find_open_meaning(text: &[u8]) -> Result<Meaning, ParseError> {
    if let Some(word) = promises::find_open_word(text) {
        return Ok(Meaning::Open(word.to_string()));
    }
    let surface = Surface::of_c(text);
    let grammar = Grammar::of("c").expect("there is a grammar of C");
    let tree = SyntaxTree::parse(&grammar, &surface.text)?;
    let origin = |offset| surface.origin(offset);
    if let Some(part) = promises::find_place_of_code(&tree, text, &origin) {
        return Ok(Meaning::Open(part.chars().take(120).collect()));
    }
    let text = &surface.text[..];
    if let Some(part) = find_unclear(&tree) {
        return Ok(Meaning::Unclear(shown(&tree, text, part)));
    }
    let found = places::find_shared_literals(&tree, text)
        .or_else(|| places::find_restrict(&tree, text))
        .or_else(|| places::find_outliving(&tree, text))
        .or_else(|| promises::find_unsteady_call(&tree, text))
        .or_else(|| promises::find_unchecked_call(&tree, text))
        .or_else(|| promises::find_shown_address(&tree, text));
    Ok(match found {
        Some(part) => Meaning::Open(shown(&tree, text, part)),
        None => order::find_unordered(&tree, text),
    })
}

/// What of a function is not understood.
fn find_unclear(tree: &SyntaxTree) -> Option<NodeId> {
    let nodes = tree.nodes();
    (0..nodes.len()).find(|&id| {
        let node = &nodes[id];
        let is_bad = node.is_error || node.is_missing || tree.kind(id) == "gnu_asm_expression";
        is_bad && is_inside(tree, id, "function_definition")
    })
}

fn is_inside(tree: &SyntaxTree, id: NodeId, kind: &str) -> bool {
    tree.ancestors(id).any(|up| tree.kind(up) == kind)
}

/// A part of the text on one line.
fn shown(tree: &SyntaxTree, text: &[u8], id: NodeId) -> String {
    let text = String::from_utf8_lossy(&text[tree.node(id).range.clone()]);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(120).collect()
}

#[cfg(test)]
mod tests;
