//! Constants that a model leaves out, asked for.
//!
//! z3 leaves out of a model what any value does for. Whether that is so, two completions
//! show ([`super::check()`]): if one makes the assertions true and another does not, or none
//! that we try does, the solver is asked once more, for the values of these constants.
//!
//! Why the answer counts: `(get-value …)` behind a `sat` speaks of the model that the `sat`
//! claims to have, and so does `(get-model)`. What both say together is what the solver
//! holds to be a solution. A constant, other than x/0, has no value but the one that
//! the model gives it.

use super::ask::{asked_values, is_get_model};
use crate::eval::roots::rewrite_algebraic;
use crate::eval::{Context, question};
use crate::print;
use crate::syntax::{Command, CommandKind, Script, Symbol, Term, TermId, parse_commands};

/// So many constants are asked for.
const MOST: usize = 64;

/// The constants in force at question `index` that the text of a model does not define, as
/// they are written, and that are not asked for yet.
fn left_out(script: &Script, index: usize, model: &str) -> Vec<String> {
    let Some(asked) = question(script, index) else {
        return Vec::new();
    };
    let declared = asked.declarations.iter();
    let mut constants = declared.filter_map(|&at| constant(&script.commands[at].kind));
    let is_defined = |symbol: Symbol| {
        let name = print::symbol(script, symbol);
        model.contains(&format!("(define-fun {name} "))
    };
    // Most models are whole, and then nothing has to be read.
    if constants.all(is_defined) {
        return Vec::new();
    }
    let mut script = script.clone();
    let Ok(commands) = parse_commands(&mut script, model) else {
        return Vec::new();
    };
    let mut context = Context::new(&script, &asked);
    context.interpret(&script, &commands);
    let asked_for: Vec<Symbol> = asked_values(&script, asked.command)
        .iter()
        .filter_map(|&term| name_of(&script, term))
        .collect();
    let open = context.uninterpreted();
    let open = open.filter(|name| context.is_open_constant(*name) && !asked_for.contains(name));
    let texts = open.map(|symbol| print::symbol(&script, symbol));
    texts.take(MOST).collect()
}

/// The constant that a command declares.
fn constant(kind: &CommandKind) -> Option<Symbol> {
    match kind {
        CommandKind::DeclareConst(symbol, _) | CommandKind::DeclareVar(symbol, _) => Some(*symbol),
        CommandKind::DeclareFun(symbol, arguments, _) if arguments.is_empty() => Some(*symbol),
        _ => None,
    }
}

fn name_of(script: &Script, term: TermId) -> Option<Symbol> {
    match script.term(term) {
        Term::Application {
            head,
            arguments: [],
        } => Some(script.identifier(head).symbol),
        _ => None,
    }
}

/// The script with the values of what the model of question `index` leaves out asked for
/// behind it, beside those that are asked for there already. None if it leaves nothing out.
pub(crate) fn asking_for_left_out(script: &Script, index: usize, model: &str) -> Option<String> {
    let names = left_out(script, index, model);
    let asked = question(script, index)?;
    let behind = script.commands[asked.command..].iter().skip(1);
    let mut get_model = behind.take_while(|command| !super::ask::is_question(command));
    let get_model = get_model.position(
        |command| matches!(command.kind, CommandKind::Word(word) if is_get_model(script, word)),
    )?;
    if names.is_empty() {
        return None;
    }
    let mut script = script.clone();
    let at = asked.command + 1 + get_model + 1;
    let before = asked_values(&script, asked.command).iter();
    let terms: Vec<String> = before.map(|&term| print::term(&script, term)).collect();
    let replaced = usize::from(!terms.is_empty());
    let text = format!("(get-value ({} {}))", terms.join(" "), names.join(" "));
    let ask: Vec<Command> = parse_commands(&mut script, &text).ok()?;
    script.commands.splice(at..at + replaced, ask);
    Some(print::script(&script))
}

/// Takes note of the values that were printed for constants that a model leaves out.
pub(super) fn learn_constants(script: &mut Script, context: &mut Context, said: &[(TermId, &str)]) {
    for &(term, value) in said {
        let open = name_of(script, term).filter(|symbol| context.is_open_constant(*symbol));
        let Some(sort) = open.and_then(|symbol| context.sort_of(symbol)) else {
            continue;
        };
        let name = print::term(script, term);
        let sort = print::sort(script, sort);
        // Read as a part of the model, so that it is looked at as the others are.
        let definition = format!("(define-fun {name} () {sort} {})", rewrite_algebraic(value));
        if let Ok(commands) = parse_commands(script, &definition) {
            context.interpret(script, &commands);
        }
    }
}
