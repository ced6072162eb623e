//! Scripts that ask for unsat cores, and whether a core is one.

use std::collections::BTreeSet;

use super::ask::is_question;
use crate::eval::question;
use crate::print;
use crate::syntax::{
    AttributeValue, Command, CommandKind, Kind, Lexer, ParseError, Script, Term, TermId, parse,
};

/// Scripts of more assertions than this are not asked for cores: their names
/// would be most of what is printed.
const MOST_ASSERTIONS: usize = 1000;

/// True if the script asks for cores by itself.
pub fn asks_for_cores(text: &[u8]) -> bool {
    let asks = b"get-unsat-core";
    text.windows(asks.len()).any(|window| window == asks)
}

/// The script with every assertion named and cores asked for behind every
/// question. `None` if there are too many assertions, or too few for a core to
/// say anything.
pub fn ask_for_cores(text: &[u8]) -> Result<Option<String>, ParseError> {
    let script = parse(text)?;
    let is_assertion = |command: &&Command| matches!(command.kind, CommandKind::Assert(_));
    let assertions = script.commands.iter().filter(is_assertion).count();
    if !(2..=MOST_ASSERTIONS).contains(&assertions) {
        return Ok(None);
    }
    let mut out = OPTION.to_string();
    let mut number = 0;
    for command in &script.commands {
        match command.kind {
            _ if is_core_command(&script, command) => continue,
            CommandKind::Assert(term) if name_of(&script, term).is_none() => {
                let name = fresh_name(&script, &mut number);
                let term = print::term(&script, term);
                out.push_str(&format!("(assert (! {term} :named {name}))"));
            }
            _ => out.push_str(&print::command(&script, command)),
        }
        out.push('\n');
        match command.kind {
            CommandKind::Word(word) if script.name(word) == "reset" => out.push_str(OPTION),
            _ if is_question(command) => out.push_str("(get-unsat-core)\n"),
            _ => {}
        }
    }
    Ok(Some(out))
}

const OPTION: &str = "(set-option :produce-unsat-cores true)\n";

/// A name that the script does not have.
fn fresh_name(script: &Script, number: &mut usize) -> String {
    loop {
        let name = format!("n{number}");
        *number += 1;
        if script.symbols().find(&name).is_none() {
            return name;
        }
    }
}

/// What the script itself says about cores.
fn is_core_command(script: &Script, command: &Command) -> bool {
    match &command.kind {
        CommandKind::SetOption(attribute) => {
            script.name(attribute.keyword) == ":produce-unsat-cores"
        }
        CommandKind::Word(word) => script.name(*word) == "get-unsat-core",
        _ => false,
    }
}

/// The symbols of a printed list, without bars; none if there is something
/// else in it.
fn names(list: &str) -> Option<BTreeSet<String>> {
    let mut lexer = Lexer {
        source: list,
        position: 0,
    };
    let mut names = BTreeSet::new();
    loop {
        let token = lexer.next().ok()?;
        match token.kind {
            Kind::End => return Some(names),
            Kind::Symbol | Kind::Quoted => {
                names.insert(list[token.start as usize..token.end as usize].to_string());
            }
            _ => return None,
        }
    }
}

/// The script of one question's unsat core only: the assertions that have no
/// name, and those whose name is in the core. `None` if there is no such
/// question or the script is not of that kind.
///
/// Every name of the core must be one of the question's: what cannot be told
/// apart is not judged.
pub fn core_script(text: &[u8], index: usize, core: &str) -> Option<String> {
    let mut script = parse(text).ok()?;
    // What else prints a list of names would be taken for a core.
    if script.symbols().find("get-unsat-assumptions").is_some() {
        return None;
    }
    let asked = question(&script, index)?;
    let core = names(core)?;
    let mut unused = core.clone();
    let commands = std::mem::take(&mut script.commands);
    let mut kept: Vec<Command> = Vec::new();
    for (at, command) in commands[..asked.command].iter().enumerate() {
        let keep = match &command.kind {
            CommandKind::Assert(term) => {
                asked.assertions.contains(term)
                    && name_of(&script, *term).is_none_or(|name| {
                        unused.remove(name);
                        core.contains(name)
                    })
            }
            CommandKind::SetLogic(_) => true,
            CommandKind::SetOption(attribute) => {
                !script.name(attribute.keyword).starts_with(":produce-")
            }
            _ => asked.declarations.contains(&at) && !is_chatter(&command.kind),
        };
        if keep {
            kept.push(command.clone());
        }
    }
    if let CommandKind::CheckSatAssuming(terms) = &commands[asked.command].kind {
        // Some solvers name the assumptions of a core by their own text, others speak
        // of assertions alone and take the assumptions for granted.
        let text_of = |term: TermId| print::term(&script, term).trim_matches('|').to_string();
        let named = |term: &TermId| unused.contains(&text_of(*term));
        let some_named = terms.iter().any(named);
        let taken = terms.iter().filter(|term| !some_named || named(term));
        let taken: Vec<TermId> = taken.copied().collect();
        for term in taken {
            unused.remove(&text_of(term));
            kept.push(CommandKind::Assert(term).into());
        }
    }
    if !unused.is_empty() {
        return None;
    }
    kept.push(CommandKind::CheckSat(Vec::new()).into());
    script.commands = kept;
    Some(print::script(&script))
}

/// Commands that only print.
fn is_chatter(kind: &CommandKind) -> bool {
    matches!(
        kind,
        CommandKind::GetInfo(_)
            | CommandKind::GetOption(_)
            | CommandKind::GetValue(..)
            | CommandKind::Simplify(..)
            | CommandKind::Eval(..)
            | CommandKind::Echo(_)
            | CommandKind::Word(_)
            | CommandKind::SetInfo(_)
    )
}

/// The name of an assertion.
fn name_of(script: &Script, term: TermId) -> Option<&str> {
    let Term::Annotated { attributes, .. } = script.term(term) else {
        return None;
    };
    attributes
        .iter()
        .find_map(|attribute| match attribute.value {
            AttributeValue::Name(symbol) if script.name(attribute.keyword) == ":named" => {
                Some(script.name(symbol))
            }
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_script_keeps_the_core_and_what_has_no_name() {
        let text = b"(set-option :produce-unsat-cores true)(set-logic ALL)(declare-fun x () Int)\
            (assert (! (> x 0) :named a))(assert (! (< x 9) :named b))(assert (< x 5))\
            (push 1)(assert (! (< x 0) :named c))(check-sat)(get-unsat-core)(pop 1)";
        assert_eq!(
            core_script(text, 0, "a c").unwrap(),
            "(set-logic ALL)\n(declare-fun x () Int)\n(assert (! (> x 0) :named a))\n\
             (assert (< x 5))\n(assert (! (< x 0) :named c))\n(check-sat)\n"
        );
        assert_eq!(core_script(text, 1, ""), None);
    }

    #[test]
    fn a_core_whose_names_are_not_all_known_is_not_judged() {
        let text = b"(declare-const p Bool)(assert (! p :named |a b|))\
            (assert (! (not p) :named |c|))(check-sat)(get-unsat-core)";
        let script = |core| core_script(text, 0, core);
        assert_eq!(script("|a b| c").unwrap().matches("assert").count(), 2);
        assert_eq!(script("|a b|").unwrap().matches("assert").count(), 1);
        assert_eq!(script("a b c"), None);
        assert_eq!(script("p c"), None);
        // Assumptions are in a core by their text, or all of them are without a word.
        let text = b"(declare-const p Bool)(declare-const q Bool)(assert (! (=> p q) :named a))\
            (assert (! (not q) :named b))(check-sat-assuming (q p))(get-unsat-core)";
        assert_eq!(
            core_script(text, 0, "a b p")
                .unwrap()
                .matches("assert")
                .count(),
            3
        );
        assert_eq!(
            core_script(text, 0, "a b")
                .unwrap()
                .matches("assert")
                .count(),
            4
        );
        // An assumption that is the name of an assertion tells nothing.
        let text = b"(declare-const p Bool)(assert (! (not p) :named a))(assert true)\
            (check-sat-assuming (a p))(get-unsat-core)";
        assert_eq!(
            core_script(text, 0, "a").unwrap().matches("assert").count(),
            4
        );
        // A list of assumptions is no core.
        let text = b"(declare-const p Bool)(assert (! (not p) :named a))\
            (check-sat-assuming (p))(get-unsat-assumptions)";
        assert_eq!(core_script(text, 0, "p"), None);
    }

    #[test]
    fn cores_are_asked_for_once_with_all_assertions_named() {
        let text = "(set-logic ALL)(declare-const n0 Bool)(assert n0)(assert (! (not n0) :named b))\
            (check-sat)(get-model)(reset)(declare-const p Bool)(assert p)(check-sat)";
        let asked = ask_for_cores(text.as_bytes()).unwrap().unwrap();
        assert_eq!(
            asked,
            "(set-option :produce-unsat-cores true)\n(set-logic ALL)\n(declare-const n0 Bool)\n\
             (assert (! n0 :named n1))\n(assert (! (not n0) :named b))\n(check-sat)\n(get-unsat-core)\n\
             (get-model)\n(reset)\n(set-option :produce-unsat-cores true)\n(declare-const p Bool)\n\
             (assert (! p :named n2))\n(check-sat)\n(get-unsat-core)\n"
        );
        assert!(asks_for_cores(asked.as_bytes()) && !asks_for_cores(text.as_bytes()));
        assert_eq!(ask_for_cores(asked.as_bytes()).unwrap().unwrap(), asked);
        assert_eq!(ask_for_cores(b"(assert true)(check-sat)"), Ok(None));
    }
}
