//! Scripts that ask for more: models, and whether a core is a core.

use lydite_core::Verdict;

use crate::eval::question;
use crate::print;
use crate::syntax::{
    AttributeValue, Command, CommandKind, ParseError, Script, Term, parse, parse_commands,
};

/// The script with models asked for: behind every question, or, if verdicts
/// are given, behind those that were answered `sat`.
pub fn ask_for_models(text: &[u8], verdicts: Option<&[Verdict]>) -> Result<String, ParseError> {
    let mut script = parse(text)?;
    let option = parse_commands(&mut script, "(set-option :produce-models true)")?;
    let ask = parse_commands(&mut script, "(get-model)")?;
    let mut commands: Vec<Command> = option;
    let mut asked = 0;
    for command in std::mem::take(&mut script.commands) {
        if is_model_command(&script, &command) {
            continue;
        }
        let is_question = is_question(&command);
        let is_reset =
            matches!(command.kind, CommandKind::Word(word) if script.name(word) == "reset");
        commands.push(command);
        if is_reset {
            commands.push(commands[0].clone());
        }
        if is_question {
            let wanted = verdicts.is_none_or(|v| v.get(asked) == Some(&Verdict::Sat));
            if wanted {
                commands.extend_from_slice(&ask);
            }
            asked += 1;
        }
    }
    script.commands = commands;
    Ok(print::script(&script))
}

fn is_question(command: &Command) -> bool {
    matches!(
        command.kind,
        CommandKind::CheckSat(_) | CommandKind::CheckSatAssuming(_) | CommandKind::CheckSatUsing(_)
    )
}

/// What the script itself says about models.
fn is_model_command(script: &Script, command: &Command) -> bool {
    match &command.kind {
        CommandKind::SetOption(attribute) => script.name(attribute.keyword) == ":produce-models",
        CommandKind::Word(word) => script.name(*word) == "get-model",
        _ => false,
    }
}

/// The script of one question's unsat core only: the assertions that have no
/// name, and those whose name is in the core. `None` if there is no such
/// question or the script is not of that kind.
pub fn core_script(text: &[u8], index: usize, core: &[&str]) -> Option<String> {
    let mut script = parse(text).ok()?;
    let asked = question(&script, index)?;
    let commands = std::mem::take(&mut script.commands);
    let mut kept: Vec<Command> = Vec::new();
    for (at, command) in commands[..asked.command].iter().enumerate() {
        let keep = match &command.kind {
            CommandKind::Assert(term) => {
                asked.assertions.contains(term)
                    && name_of(&script, *term).is_none_or(|name| core.contains(&name))
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
        // An assumption is in the core by its own text.
        let named = |text: &String| core.contains(&text.as_str());
        for &term in terms
            .iter()
            .filter(|term| named(&print::term(&script, **term)))
        {
            kept.push(CommandKind::Assert(term).into());
        }
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
fn name_of(script: &Script, term: crate::syntax::TermId) -> Option<&str> {
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
    fn models_are_asked_for_once_behind_each_sat_question() {
        let text = b"(set-logic ALL)(declare-fun x () Int)(assert (= x 1))(check-sat)(get-model)\
            (push 1)(assert false)(check-sat)(pop 1)(check-sat)";
        let all = ask_for_models(text, None).unwrap();
        assert!(all.starts_with("(set-option :produce-models true)\n(set-logic ALL)"));
        assert_eq!(all.matches("(check-sat)\n(get-model)\n").count(), 3);
        assert_eq!(all.matches("(get-model)").count(), 3);
        let verdicts = [Verdict::Sat, Verdict::Unsat, Verdict::Sat];
        let some = ask_for_models(text, Some(&verdicts)).unwrap();
        assert_eq!(some.matches("(get-model)").count(), 2);
        assert!(some.contains("(assert false)\n(check-sat)\n(pop 1)"));
        assert!(ask_for_models(b"(assert", None).is_err());
    }

    #[test]
    fn a_core_script_keeps_the_core_and_what_has_no_name() {
        let text = b"(set-option :produce-unsat-cores true)(set-logic ALL)(declare-fun x () Int)\
            (assert (! (> x 0) :named a))(assert (! (< x 9) :named b))(assert (< x 5))\
            (push 1)(assert (! (< x 0) :named c))(check-sat)(get-unsat-core)(pop 1)";
        assert_eq!(
            core_script(text, 0, &["a", "c"]).unwrap(),
            "(set-logic ALL)\n(declare-fun x () Int)\n(assert (! (> x 0) :named a))\n\
             (assert (< x 5))\n(assert (! (< x 0) :named c))\n(check-sat)\n"
        );
        assert_eq!(core_script(text, 1, &[]), None);
    }
}
