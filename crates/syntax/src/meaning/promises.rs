//! What a program promises, and nobody checks while it runs: types of arguments
//! that no prototype says, values of locals after `longjmp`, addresses that
//! differ from compiler to compiler.

use std::collections::BTreeSet;

use super::is_inside;
use crate::{NodeId, SyntaxTree};

/// Functions that return twice, and those that tell of the machine and the hour.
const UNSTEADY: [&[u8]; 13] = [
    b"setjmp", b"_setjmp", b"sigsetjmp", b"__sigsetjmp", b"__builtin_setjmp", b"getcontext",
    b"vfork", b"savectx", b"time", b"clock", b"clock_gettime", b"gettimeofday", b"getpid",
];

/// Functions that change how floats are rounded, or look at what happened to them:
/// compilers compute in advance as if there were none of them.
const ENVIRONMENT: [&[u8]; 11] = [
    b"fesetround", b"fesetenv", b"feupdateenv", b"feholdexcept", b"feclearexcept", b"fetestexcept",
    b"feraiseexcept", b"fegetexceptflag", b"fesetexceptflag", b"feenableexcept",
    b"fedisableexcept",
];

/// Integer types by names that are no keywords.
const INTEGERS: [&[u8]; 10] = [
    b"uintptr_t", b"intptr_t", b"size_t", b"ssize_t", b"ptrdiff_t", b"uint64_t", b"int64_t",
    b"uint32_t", b"int32_t", b"uint_fast64_t",
];

fn text_of<'a>(tree: &SyntaxTree, text: &'a [u8], id: NodeId) -> &'a [u8] {
    &text[tree.node(id).range.clone()]
}

fn field(tree: &SyntaxTree, id: NodeId, name: &str) -> Option<NodeId> {
    tree.children(id)
        .find(|&child| tree.field(child) == Some(name))
}

fn all(tree: &SyntaxTree, kind: &'static str) -> impl Iterator<Item = NodeId> {
    (0..tree.nodes().len()).filter(move |&id| tree.kind(id) == kind)
}

/// Words that read an argument behind `...`, of which only the caller knows the type,
/// and words that ask the compiler how far it sees, or where it puts things.
const OPEN_WORDS: [&str; 7] = [
    "__builtin_va_arg",
    "va_arg",
    "__builtin_constant_p",
    "__builtin_object_size",
    "__builtin_dynamic_object_size",
    "__builtin_return_address",
    "__builtin_frame_address",
];

/// The first of these words that the text has. Grammars do not know all of them.
pub(super) fn find_open_word(text: &[u8]) -> Option<&'static str> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let words: BTreeSet<&[u8]> = text.split(|byte| !is_part(byte)).collect();
    let mut open = OPEN_WORDS.into_iter();
    open.find(|word| words.contains(word.as_bytes()))
}

/// A call of what returns twice (locals that changed in between have no value), or of
/// what says another thing each time.
pub(super) fn find_unsteady_call(tree: &SyntaxTree, text: &[u8]) -> Option<NodeId> {
    all(tree, "call_expression").find(|&id| {
        let callee = field(tree, id, "function").map(|callee| text_of(tree, text, callee));
        callee.is_some_and(|name| UNSTEADY.contains(&name) || ENVIRONMENT.contains(&name))
    })
}

/// Assembly in a function, or the address of a label that is not only a place to go
/// to: what it says beside `goto *` is the compiler's choice. The text is that of the
/// program, of which the tree may lack both; `origin` leads from one to the other.
pub(super) fn find_place_of_code(
    tree: &SyntaxTree,
    text: &[u8],
    origin: &dyn Fn(usize) -> usize,
) -> Option<String> {
    let bodies = all(tree, "function_definition").filter_map(|id| field(tree, id, "body"));
    for body in bodies {
        let range = &tree.node(body).range;
        let text = text.get(origin(range.start)..origin(range.end));
        let text = text.unwrap_or_default();
        let found = find_assembly(text).or_else(|| find_label_address(text));
        if let Some(at) = found {
            let line = text[at..].split(|byte| *byte == b'\n').next();
            return Some(String::from_utf8_lossy(line.unwrap_or_default()).into_owned());
        }
    }
    None
}

/// Assembly of which more than a barrier is wanted: instructions, or a value that only
/// they could have given.
fn find_assembly(text: &[u8]) -> Option<usize> {
    words(text)
        .find(|&(at, word)| {
            if !matches!(word, b"asm" | b"__asm" | b"__asm__") {
                return false;
            }
            let rest = &text[at..];
            let end = rest.iter().position(|byte| *byte == b';');
            let statement = &rest[..end.unwrap_or(rest.len())];
            let mut quoted = statement.split(|byte| *byte == b'"').skip(1).step_by(2);
            let template = quoted.next().unwrap_or_default();
            !template.trim_ascii().is_empty() || quoted.any(|constraint| constraint.contains(&b'='))
        })
        .map(|(at, _)| at)
}

/// `&&label` elsewhere than in a list of labels or in what `goto *` is given.
fn find_label_address(text: &[u8]) -> Option<usize> {
    let pairs = text.windows(2).enumerate().filter(|(_, two)| *two == b"&&");
    pairs.map(|(at, _)| at).find(|&at| {
        let before = text[..at].trim_ascii_end();
        let before = match before.strip_suffix(b")") {
            // A cast, or the operand of the other `&&`.
            Some(inside) => match inside.iter().rposition(|byte| *byte == b'(') {
                Some(open) if inside[open..].contains(&b'*') => before[..open].trim_ascii_end(),
                _ => return false,
            },
            None => before,
        };
        let is_label = text[at + 2..]
            .trim_ascii_start()
            .first()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        is_label
            && matches!(
                before.last(),
                Some(b'=' | b'(' | b'<' | b'>' | b'-' | b'+' | b'!')
            )
    })
}

/// The words of a text, with their places.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    text.split(move |byte| !is_part(byte)).map(move |word| {
        let place = at;
        at += word.len() + 1;
        (place, word)
    })
}

/// A call with arguments where some declaration of the callee says nothing of them
/// (`int f();`, `int f(a) int a; { … }`): they have to have the right types all the same.
pub(super) fn find_unchecked_call(tree: &SyntaxTree, text: &[u8]) -> Option<NodeId> {
    let (mut loose, mut loose_types) = (BTreeSet::new(), BTreeSet::new());
    for id in all(tree, "function_declarator") {
        let Some(name) = declared_name(tree, id).filter(|_| is_loose(tree, id)) else {
            continue;
        };
        let is_type = is_inside(tree, id, "type_definition");
        let names = if is_type {
            &mut loose_types
        } else {
            &mut loose
        };
        names.insert(text_of(tree, text, name));
    }
    // What has such a type by its name.
    for kind in ["declaration", "parameter_declaration", "field_declaration"] {
        for id in all(tree, kind) {
            let of_type = field(tree, id, "type").map(|of_type| text_of(tree, text, of_type));
            if of_type.is_some_and(|name| loose_types.contains(name)) {
                let declarators = tree
                    .children(id)
                    .filter(|&child| tree.field(child) == Some("declarator"));
                let names = declarators.filter_map(|child| declared_name(tree, child));
                loose.extend(names.map(|name| text_of(tree, text, name)));
            }
        }
    }
    all(tree, "call_expression").find(|&id| {
        let arguments = field(tree, id, "arguments");
        let has_some = arguments.is_some_and(|list| tree.children(list).count() > 2);
        let callee = field(tree, id, "function").and_then(|callee| last_name(tree, callee));
        has_some && callee.is_some_and(|name| loose.contains(text_of(tree, text, name)))
    })
}

/// True for a declarator whose list of parameters is empty, or has names alone.
fn is_loose(tree: &SyntaxTree, declarator: NodeId) -> bool {
    let list = field(tree, declarator, "parameters");
    list.is_some_and(|list| {
        let mut inside = tree
            .children(list)
            .filter(|&child| !matches!(tree.kind(child), "(" | ")"));
        match inside.next() {
            None => true,
            Some(first) => tree.kind(first) == "identifier",
        }
    })
}

/// The name that a declarator declares.
fn declared_name(tree: &SyntaxTree, declarator: NodeId) -> Option<NodeId> {
    let mut at = declarator;
    loop {
        match tree.kind(at) {
            "identifier" | "field_identifier" | "type_identifier" => return Some(at),
            "parenthesized_declarator" => {
                let mut inside = tree.children(at);
                at = inside.find(|&child| {
                    tree.kind(child).ends_with("declarator") || tree.kind(child) == "identifier"
                })?;
            }
            _ => at = field(tree, at, "declarator")?,
        }
    }
}

/// The name that an expression for a function ends with.
fn last_name(tree: &SyntaxTree, expression: NodeId) -> Option<NodeId> {
    let last = tree.node(expression).end;
    let is_name = |&id: &NodeId| matches!(tree.kind(id), "identifier" | "field_identifier");
    match tree.kind(expression) {
        // The index comes last, and names no function.
        "subscript_expression" => last_name(tree, field(tree, expression, "argument")?),
        _ => (expression..last).rev().find(is_name),
    }
}

/// An address that becomes a number, or is printed.
pub(super) fn find_shown_address(tree: &SyntaxTree, text: &[u8]) -> Option<NodeId> {
    let printed = all(tree, "string_literal").find(|&id| {
        let has = |word: &[u8]| text_of(tree, text, id).windows(2).any(|two| two == word);
        has(b"%p") && is_inside(tree, id, "function_definition")
    });
    printed.or_else(|| {
        let mut pointers = BTreeSet::new();
        for kind in ["pointer_declarator", "array_declarator"] {
            let names = all(tree, kind).filter_map(|id| declared_name(tree, id));
            pointers.extend(names.map(|name| text_of(tree, text, name)));
        }
        all(tree, "cast_expression").find(|&id| {
            let of_type = field(tree, id, "type");
            let value = field(tree, id, "value");
            of_type.is_some_and(|of_type| is_integer(tree, text, of_type))
                && value.is_some_and(|value| is_address(tree, text, value, &pointers))
        })
    })
}

fn is_integer(tree: &SyntaxTree, text: &[u8], descriptor: NodeId) -> bool {
    let mut parts = tree.children(descriptor);
    let is_plain = |id: NodeId| match tree.kind(id) {
        "type_qualifier" | "sized_type_specifier" => true,
        "primitive_type" => !matches!(text_of(tree, text, id), b"void" | b"_Bool" | b"bool"),
        "type_identifier" => INTEGERS.contains(&text_of(tree, text, id)),
        _ => false,
    };
    parts.all(is_plain)
}

fn is_address(tree: &SyntaxTree, text: &[u8], value: NodeId, pointers: &BTreeSet<&[u8]>) -> bool {
    let mut at = value;
    loop {
        let mut children = tree.children(at);
        let next = match tree.kind(at) {
            "pointer_expression" => return children.any(|child| tree.kind(child) == "&"),
            "identifier" => return pointers.contains(text_of(tree, text, at)),
            "string_literal" => return true,
            "cast_expression" => field(tree, at, "value"),
            "parenthesized_expression" => children.nth(1),
            "binary_expression" if children.any(|child| tree.kind(child) == "+") => {
                field(tree, at, "left")
            }
            _ => None,
        };
        match next {
            Some(next) => at = next,
            None => return false,
        }
    }
}
