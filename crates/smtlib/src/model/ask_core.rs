//! Scripts that ask for unsat cores, and whether a core is one.

use std::collections::BTreeSet;

use super::ask::is_question;
use super::objectives::asks_for_front;
use super::reply::items;
use crate::eval::{Question, question};
use crate::print;
use crate::syntax::{
    AttributeValue, Command, CommandKind, Kind, Lexer, ParseError, Script, Term, TermId, parse,
    parse_term,
};

/// Scripts of more assertions than this are not asked for cores: their names
/// would be most of what is printed.
const MOST_ASSERTIONS: usize = 1000;

/// True if the script asks for cores, or for the assumptions of a refutation, by itself.
pub fn asks_for_cores(text: &[u8]) -> bool {
    let asks = b"get-unsat-";
    text.windows(asks.len()).any(|window| window == asks)
}

/// The script with every assertion named and cores asked for behind every
/// question. `None` if there are too many assertions, or too few for a core to
/// say anything.
///
/// Behind `check-sat-assuming` the assumptions that a refutation rests on are asked for
/// instead, if the script has nothing against it (it does not ask for cores itself).
pub fn ask_for_cores(text: &[u8]) -> Result<Option<String>, ParseError> {
    let script = parse(text)?;
    let own_cores = has_word(&script, GET_CORE);
    let is_assertion = |command: &&Command| matches!(command.kind, CommandKind::Assert(_));
    let assertions = script.commands.iter().filter(is_assertion).count();
    let assumes = |command: &Command| matches!(command.kind, CommandKind::CheckSatAssuming(_));
    let assumed = !own_cores && script.commands.iter().any(assumes);
    if assertions > MOST_ASSERTIONS || assertions < 2 && !assumed {
        return Ok(None);
    }
    let options = match assumed {
        true => format!("{OPTION}{ASSUMPTIONS_OPTION}"),
        false => OPTION.to_string(),
    };
    let mut out = options.clone();
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
            CommandKind::Word(word) if script.name(word) == "reset" => out.push_str(&options),
            CommandKind::CheckSatAssuming(_) if assumed => {
                out.push_str("(get-unsat-assumptions)\n");
            }
            _ if is_question(command) => out.push_str("(get-unsat-core)\n"),
            _ => {}
        }
    }
    Ok(Some(out))
}

const OPTION: &str = "(set-option :produce-unsat-cores true)\n";
const ASSUMPTIONS_OPTION: &str = "(set-option :produce-unsat-assumptions true)\n";
const GET_CORE: &str = "get-unsat-core";
const GET_ASSUMPTIONS: &str = "get-unsat-assumptions";

fn has_word(script: &Script, wanted: &str) -> bool {
    let is_it = |command: &Command| match command.kind {
        CommandKind::Word(word) => script.name(word) == wanted,
        _ => false,
    };
    script.commands.iter().any(is_it)
}

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
        CommandKind::SetOption(attribute) => matches!(
            script.name(attribute.keyword),
            ":produce-unsat-cores" | ":produce-unsat-assumptions"
        ),
        CommandKind::Word(word) => matches!(script.name(*word), GET_CORE | GET_ASSUMPTIONS),
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

/// What is asked for behind the question at a command: `Some(true)` for a core,
/// `Some(false)` for assumptions. None if it is both or neither, so that what is
/// printed cannot be told apart.
fn wants_core(script: &Script, question: usize) -> Option<bool> {
    let mut wanted = Vec::new();
    for command in script.commands.iter().skip(question + 1) {
        match command.kind {
            CommandKind::Word(word) if script.name(word) == GET_CORE => wanted.push(true),
            CommandKind::Word(word) if script.name(word) == GET_ASSUMPTIONS => wanted.push(false),
            _ if is_question(command) => break,
            _ => {}
        }
    }
    match wanted[..] {
        [core] => Some(core),
        _ => None,
    }
}

/// What a printed list of one question amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreScript {
    /// The script of the core, or of the assumptions, alone.
    Alone(String),
    /// A list of assumptions with one in it that was not assumed.
    NotAssumed(String),
}

/// The script of what was printed behind question `index`. Of an unsat core: the
/// assertions that have no name, and those whose name is in the core. Of assumptions: all
/// assertions, and those assumptions. `None` if there is no such question or the script
/// is not of that kind.
///
/// Every name of the core must be one of the question's: what cannot be told
/// apart is not judged.
pub fn core_script(text: &[u8], index: usize, list: &str) -> Option<CoreScript> {
    let mut script = parse(text).ok()?;
    let asked = question(&script, index)?;
    if asks_for_front(&script, &asked) {
        return None;
    }
    match wants_core(&script, asked.command)? {
        true => {
            let core = names(list)?;
            script_of_core(&mut script, &asked, &core).map(CoreScript::Alone)
        }
        false => script_of_assumptions(&mut script, &asked, list),
    }
}

/// The script of a core without one of its names, for each of them.
pub fn smaller_cores(text: &[u8], index: usize, list: &str) -> Vec<(String, String)> {
    let Some(core) = names(list).filter(|core| (1..=MOST_NAMES).contains(&core.len())) else {
        return Vec::new();
    };
    let without = |name: &String| {
        let mut script = parse(text).ok()?;
        let asked = question(&script, index)?;
        let plain = matches!(
            script.commands[asked.command].kind,
            CommandKind::CheckSat(_)
        );
        let is_core = plain && wants_core(&script, asked.command)?;
        let mut rest = core.clone();
        rest.remove(name);
        let smaller = is_core.then(|| script_of_core(&mut script, &asked, &rest));
        Some((name.clone(), smaller.flatten()?))
    };
    core.iter().filter_map(without).collect()
}

/// Larger cores are not tried without each of their names.
const MOST_NAMES: usize = 6;

/// What stays of the script beside assertions.
fn stays(script: &Script, asked: &Question, at: usize) -> bool {
    match &script.commands[at].kind {
        CommandKind::SetLogic(_) => true,
        CommandKind::SetOption(attribute) => {
            !script.name(attribute.keyword).starts_with(":produce-")
        }
        kind => asked.declarations.contains(&at) && !is_chatter(kind),
    }
}

fn script_of_core(
    script: &mut Script,
    asked: &Question,
    core: &BTreeSet<String>,
) -> Option<String> {
    let mut unused = core.clone();
    let mut kept: Vec<Command> = Vec::new();
    for (at, command) in script.commands[..asked.command].iter().enumerate() {
        let keep = match &command.kind {
            CommandKind::Assert(term) => {
                asked.assertions.contains(term)
                    && name_of(script, *term).is_none_or(|name| {
                        unused.remove(name);
                        core.contains(name)
                    })
            }
            _ => stays(script, asked, at),
        };
        if keep {
            kept.push(command.clone());
        }
    }
    if let CommandKind::CheckSatAssuming(terms) = &script.commands[asked.command].kind {
        // Some solvers name the assumptions of a core by their own text, others speak
        // of assertions alone and take the assumptions for granted.
        let text_of = |term: TermId| print::term(script, term).trim_matches('|').to_string();
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
    Some(print::script(script))
}

/// Assumptions are names, or names denied; anything else is not judged.
fn script_of_assumptions(script: &mut Script, asked: &Question, list: &str) -> Option<CoreScript> {
    let CommandKind::CheckSatAssuming(assumed) = script.commands[asked.command].kind.clone() else {
        return None;
    };
    let is_literal = |&term: &TermId| match script.call(term) {
        Some(("not", &[inner])) => matches!(script.call(inner), Some((_, []))),
        Some((_, arguments)) => arguments.is_empty(),
        None => false,
    };
    if !assumed.iter().all(is_literal) {
        return None;
    }
    let texts: Vec<String> = assumed
        .iter()
        .map(|&term| print::term(script, term))
        .collect();
    let mut kept: Vec<Command> = Vec::new();
    for (at, command) in script.commands[..asked.command].iter().enumerate() {
        let keep = match &command.kind {
            CommandKind::Assert(term) => asked.assertions.contains(term),
            _ => stays(script, asked, at),
        };
        if keep {
            kept.push(command.clone());
        }
    }
    let mut taken = Vec::new();
    for item in items(list) {
        let term = parse_term(script, item).ok()?;
        let text = print::term(script, term);
        match texts.iter().position(|other| *other == text) {
            Some(at) => taken.push(assumed[at]),
            None => return Some(CoreScript::NotAssumed(text)),
        }
    }
    kept.extend(
        taken
            .into_iter()
            .map(|term| CommandKind::Assert(term).into()),
    );
    kept.push(CommandKind::CheckSat(Vec::new()).into());
    script.commands = kept;
    Some(CoreScript::Alone(print::script(script)))
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

    fn alone(text: &[u8], index: usize, list: &str) -> Option<String> {
        match core_script(text, index, list)? {
            CoreScript::Alone(script) => Some(script),
            CoreScript::NotAssumed(_) => None,
        }
    }

    #[test]
    fn a_core_script_keeps_the_core_and_what_has_no_name() {
        let text = b"(set-option :produce-unsat-cores true)(set-logic ALL)(declare-fun x () Int)\
            (assert (! (> x 0) :named a))(assert (! (< x 9) :named b))(assert (< x 5))\
            (push 1)(assert (! (< x 0) :named c))(check-sat)(get-unsat-core)(pop 1)";
        assert_eq!(
            alone(text, 0, "a c").unwrap(),
            "(set-logic ALL)\n(declare-fun x () Int)\n(assert (! (> x 0) :named a))\n\
             (assert (< x 5))\n(assert (! (< x 0) :named c))\n(check-sat)\n"
        );
        assert_eq!(alone(text, 1, ""), None);
    }

    #[test]
    fn a_core_whose_names_are_not_all_known_is_not_judged() {
        let text = b"(declare-const p Bool)(assert (! p :named |a b|))\
            (assert (! (not p) :named |c|))(check-sat)(get-unsat-core)";
        let script = |core| alone(text, 0, core);
        assert_eq!(script("|a b| c").unwrap().matches("assert").count(), 2);
        assert_eq!(script("|a b|").unwrap().matches("assert").count(), 1);
        assert_eq!(script("a b c"), None);
        assert_eq!(script("p c"), None);
        // Assumptions are in a core by their text, or all of them are without a word.
        let text = b"(declare-const p Bool)(declare-const q Bool)(assert (! (=> p q) :named a))\
            (assert (! (not q) :named b))(check-sat-assuming (q p))(get-unsat-core)";
        assert_eq!(
            alone(text, 0, "a b p").unwrap().matches("assert").count(),
            3
        );
        assert_eq!(alone(text, 0, "a b").unwrap().matches("assert").count(), 4);
        // An assumption that is the name of an assertion tells nothing.
        let text = b"(declare-const p Bool)(assert (! (not p) :named a))(assert true)\
            (check-sat-assuming (a p))(get-unsat-core)";
        assert_eq!(alone(text, 0, "a").unwrap().matches("assert").count(), 4);
    }

    #[test]
    fn a_list_of_assumptions_is_held_against_what_was_assumed() {
        let text = b"(declare-const p Bool)(declare-const |a b| Bool)(assert (! (not p) :named a))\
            (check-sat-assuming (p (not |a b|)))(get-unsat-assumptions)";
        let declared =
            "(declare-const p Bool)\n(declare-const |a b| Bool)\n(assert (! (not p) :named a))\n";
        assert_eq!(
            alone(text, 0, "p").unwrap(),
            format!("{declared}(assert p)\n(check-sat)\n")
        );
        assert_eq!(
            alone(text, 0, "(not |a b|) p").unwrap(),
            format!("{declared}(assert (not |a b|))\n(assert p)\n(check-sat)\n")
        );
        assert_eq!(
            core_script(text, 0, "|a b|"),
            Some(CoreScript::NotAssumed("|a b|".to_string()))
        );
        // Where both are asked for, what is printed may be either.
        let both = b"(declare-const p Bool)(assert (! (not p) :named a))\
            (check-sat-assuming (p))(get-unsat-core)(get-unsat-assumptions)";
        assert_eq!(core_script(both, 0, "p"), None);
    }

    #[test]
    fn a_core_is_tried_without_each_of_its_names() {
        let text = b"(declare-const p Bool)(assert (! p :named a))(assert (! (not p) :named b))\
            (check-sat)(get-unsat-core)";
        let smaller = smaller_cores(text, 0, "a b");
        let names: Vec<&str> = smaller.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(!smaller[0].1.contains(":named a") && smaller[0].1.contains(":named b"));
        assert_eq!(smaller_cores(text, 0, "a b c d e f g"), []);
        assert_eq!(smaller_cores(text, 0, ""), []);
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
        let assuming = b"(declare-const p Bool)(assert p)(check-sat-assuming ((not p)))(check-sat)";
        let asked = ask_for_cores(assuming).unwrap().unwrap();
        assert!(asked.contains(
            "(check-sat-assuming ((not p)))\n(get-unsat-assumptions)\n(check-sat)\n(get-unsat-core)\n"
        ));
        assert!(asked.contains(":produce-unsat-assumptions true"));
    }
}
