//! What GNU C and SDCC add and the grammar does not know, and the uses of
//! macros.

use std::ops::Range;

use super::directives::Directives;
use super::token::{Kind, Tokens};
use super::{Surface, blank};

/// What becomes of a word.
#[derive(Clone, Copy)]
enum Rule {
    /// Blanked out: it changes nothing that the grammar has to know.
    Blank,
    /// Blanked out with the parentheses after it, and words before these.
    BlankCall,
    /// It and the parentheses after it become a name.
    NameCall,
    /// Another word with the same place in the grammar.
    Word(&'static [u8]),
    /// Blanked out up to the next semicolon.
    BlankStatement,
}

const RULES: &[(&str, Rule)] = &[
    ("__attribute__", Rule::BlankCall),
    ("__attribute", Rule::BlankCall),
    ("__declspec", Rule::BlankCall),
    ("_Alignas", Rule::BlankCall),
    ("_Static_assert", Rule::BlankCall),
    ("static_assert", Rule::BlankCall),
    ("asm", Rule::BlankCall),
    ("__asm", Rule::BlankCall),
    ("__asm__", Rule::BlankCall),
    ("__extension__", Rule::Blank),
    ("__const", Rule::Blank),
    ("__const__", Rule::Blank),
    ("__volatile", Rule::Blank),
    ("__volatile__", Rule::Blank),
    ("__restrict", Rule::Blank),
    ("__restrict__", Rule::Blank),
    ("_Complex", Rule::Blank),
    ("__complex", Rule::Blank),
    ("__complex__", Rule::Blank),
    ("__real", Rule::Blank),
    ("__real__", Rule::Blank),
    ("__imag", Rule::Blank),
    ("__imag__", Rule::Blank),
    ("_Noreturn", Rule::Blank),
    ("_Thread_local", Rule::Blank),
    ("__thread", Rule::Blank),
    ("_Sat", Rule::Blank),
    ("__seg_fs", Rule::Blank),
    ("__seg_gs", Rule::Blank),
    ("__signed", Rule::Word(b"signed")),
    ("__signed__", Rule::Word(b"signed")),
    ("__alignof", Rule::Word(b"sizeof")),
    ("__alignof__", Rule::Word(b"sizeof")),
    ("_Alignof", Rule::Word(b"sizeof")),
    // The grammar knows it with one type alone.
    ("_Generic", Rule::NameCall),
    ("typeof", Rule::NameCall),
    ("__typeof", Rule::NameCall),
    ("__typeof__", Rule::NameCall),
    ("typeof_unqual", Rule::NameCall),
    ("_Atomic", Rule::NameCall),
    ("_BitInt", Rule::NameCall),
    ("va_arg", Rule::NameCall),
    ("__builtin_va_arg", Rule::NameCall),
    ("offsetof", Rule::NameCall),
    ("__builtin_offsetof", Rule::NameCall),
    ("__builtin_types_compatible_p", Rule::NameCall),
    ("__builtin_convertvector", Rule::NameCall),
    ("__label__", Rule::BlankStatement),
    // Of SDCC.
    ("__xdata", Rule::Blank),
    ("__code", Rule::Blank),
    ("__data", Rule::Blank),
    ("__idata", Rule::Blank),
    ("__pdata", Rule::Blank),
    ("__near", Rule::Blank),
    ("__far", Rule::Blank),
    ("__reentrant", Rule::Blank),
    ("__critical", Rule::Blank),
    ("__naked", Rule::Blank),
    ("__banked", Rule::Blank),
    ("__nonbanked", Rule::Blank),
    ("__trap", Rule::Blank),
    ("__smallc", Rule::Blank),
    ("__raisonance", Rule::Blank),
    ("__iar", Rule::Blank),
    ("__cosmic", Rule::Blank),
    ("__z88dk_callee", Rule::Blank),
    ("__z88dk_fastcall", Rule::Blank),
    ("__z88dk_params_offset", Rule::Blank),
    ("__shadowregs", Rule::Blank),
    ("__wparam", Rule::Blank),
    ("__overlay", Rule::Blank),
    ("__at", Rule::BlankCall),
    ("__interrupt", Rule::BlankCall),
    ("__using", Rule::BlankCall),
    ("__sdcccall", Rule::BlankCall),
    ("__preserves_regs", Rule::BlankCall),
    ("__addressmod", Rule::BlankCall),
    ("__sfr", Rule::Word(b"char")),
    ("__sfr16", Rule::Word(b"short")),
    ("__sfr32", Rule::Word(b"long")),
    ("__sbit", Rule::Word(b"char")),
    ("__bit", Rule::Word(b"char")),
];

/// Macros of these words alone, or of none, are blanked out where they stand.
const FAINT: &[&str] = &[
    "static", "extern", "inline", "__inline", "__inline__", "const", "volatile", "register",
    "__extension__", "__const", "__volatile__", "restrict", "__restrict", "__restrict__",
    "__xdata", "__code", "__data", "__idata", "__pdata", "__near", "__far", "__reentrant",
    "__naked",
];

/// How far a statement is searched for its end.
const LOOK_AHEAD: usize = 128;

/// Replaces all of it; `c` if it is C and not C++, whose `&&` has a third
/// meaning.
pub(super) fn replace(
    surface: &mut Surface,
    tokens: &mut Tokens,
    directives: &Directives,
    c: bool,
) {
    let mut number = 0;
    while number < tokens.list.len() {
        let taken = match tokens.list[number].kind {
            Kind::Word => replace_word(surface, tokens, directives, number),
            Kind::Mark => replace_mark(surface, tokens, number, c),
            Kind::Literal => {
                odd_suffix(surface, tokens, number);
                0..0
            }
        };
        number = taken.end.max(number + 1);
    }
    *tokens = Tokens::read(&surface.text);
}

/// Replaces what begins with the word at token `number`; the tokens that are
/// gone.
fn replace_word(
    surface: &mut Surface,
    tokens: &Tokens,
    directives: &Directives,
    number: usize,
) -> Range<usize> {
    let text = tokens.text(&surface.text, number).to_vec();
    let next = tokens.text(&surface.text, number + 1);
    if let Some(rule) = rule_of(&text) {
        apply(rule, surface, tokens, number)
    } else if directives.functions.contains(&text) {
        use_of_macro(surface, tokens, number)
    } else if has_statements(directives, &text) {
        let range = tokens.list[number].range.clone();
        blank(&mut surface.text, range.clone());
        surface.text[range.start] = b';';
        surface.hidden.push(range);
        number..number + 1
    } else if is_faint(directives, &text)
        || is_sign(directives, &text) && is_type(next)
        || text == b"goto" && next == b"*"
    {
        apply(Rule::Blank, surface, tokens, number)
    } else {
        if text == b"case" {
            case_range(surface, tokens, number);
        }
        0..0
    }
}

/// The same for a mark.
fn replace_mark(surface: &mut Surface, tokens: &Tokens, number: usize, c: bool) -> Range<usize> {
    match tokens.text(&surface.text, number) {
        b"&&" if c && !ends_operand(surface, tokens, number) && tokens.is_word(number + 1) => {
            address_of_label(surface, tokens, number)
        }
        b":" if number > 0 && is_type(tokens.text(&surface.text, number - 1)) => {
            unnamed_field(surface, tokens, number)
        }
        _ => 0..0,
    }
}

/// True for macros that stand for qualifiers or attributes, or for nothing.
fn is_faint(directives: &Directives, name: &[u8]) -> bool {
    directives.objects.get(name).is_some_and(|body| {
        let body = String::from_utf8_lossy(body);
        body.starts_with("__attribute__")
            || body.split_whitespace().all(|word| FAINT.contains(&word))
    })
}

fn is_sign(directives: &Directives, name: &[u8]) -> bool {
    let body = directives.objects.get(name);
    body.is_some_and(|body| matches!(&body[..], b"signed" | b"unsigned"))
}

/// True for macros whose text holds whole statements or declarations.
fn has_statements(directives: &Directives, name: &[u8]) -> bool {
    let body = directives.objects.get(name);
    body.is_some_and(|body| body.iter().any(|byte| matches!(byte, b';' | b'{' | b'}')))
}

fn is_type(word: &[u8]) -> bool {
    matches!(
        word,
        b"int" | b"unsigned" | b"signed" | b"char" | b"short" | b"long" | b"_Bool"
    )
}

/// `int : 3;` in a structure is a field without a name.
fn unnamed_field(surface: &mut Surface, tokens: &Tokens, number: usize) -> Range<usize> {
    let last = tokens.list.len().min(number + LOOK_AHEAD);
    let end = (number..last).find(|&at| matches!(tokens.text(&surface.text, at), b";" | b","));
    let Some(end) = end else {
        return 0..0;
    };
    let range = tokens.list[number].range.start..tokens.list[end].range.start;
    blank(&mut surface.text, range.clone());
    surface.text[range.start] = b'_';
    number..end
}

/// `1.0i` and `0x1p-3q` are numbers.
fn odd_suffix(surface: &mut Surface, tokens: &Tokens, number: usize) {
    let literal = &mut surface.text[tokens.list[number].range.clone()];
    if !literal[0].is_ascii_digit() && literal[0] != b'.' {
        return;
    }
    let hexadecimal = literal.starts_with(b"0x") || literal.starts_with(b"0X");
    let scaled = literal.iter().any(|byte| matches!(byte, b'p' | b'P'));
    let end = literal.iter().rposition(|byte| !byte.is_ascii_alphabetic());
    let suffix = end.map_or(0, |at| at + 1);
    let usual = |byte: &u8| matches!(byte.to_ascii_lowercase(), b'u' | b'l' | b'f');
    if (!hexadecimal || scaled) && !literal[suffix..].iter().all(usual) {
        literal[suffix..].fill(b' ');
    }
}

fn rule_of(word: &[u8]) -> Option<Rule> {
    let found = RULES.iter().find(|(name, _)| name.as_bytes() == word);
    found.map(|(_, rule)| *rule)
}

/// Applies a rule to the token `number`; the tokens that it replaces.
fn apply(rule: Rule, surface: &mut Surface, tokens: &Tokens, number: usize) -> Range<usize> {
    let start = tokens.list[number].range.start;
    let whole = |last: usize| start..tokens.list[last].range.end;
    match rule {
        Rule::Blank => {
            blank(&mut surface.text, whole(number));
            surface.masked.push(whole(number));
            number..number + 1
        }
        Rule::Word(word) => {
            let range = whole(number);
            blank(&mut surface.text, range.clone());
            surface.text[range][..word.len()].copy_from_slice(word);
            number..number + 1
        }
        Rule::BlankCall => {
            let mut open = number + 1;
            while tokens.is_word(open) && open < number + 4 {
                open += 1;
            }
            let end = parenthesis(surface, tokens, open);
            match end.or_else(|| end_of_assembly(surface, tokens, number)) {
                None => number..number + 1,
                Some(close) => {
                    blank(&mut surface.text, whole(close));
                    surface.hidden.push(whole(close));
                    surface.masked.push(whole(close));
                    number..close + 1
                }
            }
        }
        Rule::NameCall => match parenthesis(surface, tokens, number + 1) {
            // `_Atomic int` without parentheses is a qualifier.
            None => number..number + 1,
            Some(close) => {
                surface.text[whole(close)].fill(b'_');
                surface.hidden.push(whole(close));
                number..close + 1
            }
        },
        Rule::BlankStatement => {
            let semicolon = (number..tokens.list.len().min(number + LOOK_AHEAD))
                .find(|&at| tokens.text(&surface.text, at) == b";");
            let last = semicolon.unwrap_or(number);
            blank(&mut surface.text, whole(last));
            number..last + 1
        }
    }
}

/// The end of `__asm … __endasm`, as SDCC writes it.
fn end_of_assembly(surface: &Surface, tokens: &Tokens, number: usize) -> Option<usize> {
    let end = tokens.list.len().min(number + LOOK_AHEAD * LOOK_AHEAD);
    let is = |at: usize, word: &[u8]| tokens.text(&surface.text, at) == word;
    let starts = is(number, b"__asm");
    (starts.then_some(number)?..end).find(|&at| is(at, b"__endasm"))
}

/// The closing parenthesis of the one at token `number`.
fn parenthesis(surface: &Surface, tokens: &Tokens, number: usize) -> Option<usize> {
    match tokens.text(&surface.text, number) == b"(" {
        true => tokens.closing(number),
        false => None,
    }
}

/// A use of a macro with parameters: one name, or nothing where it stands
/// between statements without a semicolon.
fn use_of_macro(surface: &mut Surface, tokens: &Tokens, number: usize) -> Range<usize> {
    let Some(close) = parenthesis(surface, tokens, number + 1) else {
        return 0..0;
    };
    let range = tokens.list[number].range.start..tokens.list[close].range.end;
    let before = number
        .checked_sub(1)
        .map_or(&b";"[..], |before| tokens.text(&surface.text, before));
    let alone = matches!(before, b";" | b"{" | b"}" | b")" | b":" | b"else")
        && (tokens.is_word(close + 1)
            || matches!(tokens.text(&surface.text, close + 1), b"}" | b""));
    surface.hidden.push(range.clone());
    match alone {
        // As a statement of its own: it may be the body of an `if`.
        true => {
            blank(&mut surface.text, range.clone());
            surface.text[range.start] = b';';
        }
        false => surface.text[range].fill(b'_'),
    }
    number..close + 1
}

/// True if the token before `number` ends an operand: then `&&` is `and`.
fn ends_operand(surface: &Surface, tokens: &Tokens, number: usize) -> bool {
    let Some(before) = number.checked_sub(1) else {
        return false;
    };
    match tokens.list[before].kind {
        Kind::Literal => true,
        Kind::Word => tokens.text(&surface.text, before) != b"return",
        Kind::Mark => match tokens.text(&surface.text, before) {
            // The last is what became of a call that the grammar does not know.
            b")" | b"]" | b"}" | b"_" => true,
            // `a-- && b` is a conjunction, `&&a - &&b` a difference of labels.
            sign @ (b"+" | b"-") => before.checked_sub(1).is_some_and(|first| {
                tokens.text(&surface.text, first) == sign
                    && tokens.list[first].range.end == tokens.list[before].range.start
            }),
            _ => false,
        },
    }
}

/// `&&label` is a constant.
fn address_of_label(surface: &mut Surface, tokens: &Tokens, number: usize) -> Range<usize> {
    let range = tokens.list[number].range.start..tokens.list[number + 1].range.end;
    blank(&mut surface.text, range.clone());
    surface.text[range.start] = b'0';
    number..number + 2
}

/// `case 1 ... 5:` becomes `case 1:`.
fn case_range(surface: &mut Surface, tokens: &Tokens, number: usize) {
    let mut dots = None;
    let mut at = number + 1;
    while at < tokens.list.len().min(number + LOOK_AHEAD) {
        match tokens.text(&surface.text, at) {
            b"..." => dots = Some(at),
            b":" => break,
            b"(" => at = tokens.closing(at).unwrap_or(at),
            _ => {}
        }
        at += 1;
    }
    if let Some(dots) = dots
        && at < tokens.list.len()
    {
        blank(
            &mut surface.text,
            tokens.list[dots].range.start..tokens.list[at].range.start,
        );
    }
}
