//! Scripts that ask for models.

use lydite_core::Verdict;

use super::objectives::{has_objectives, is_objective};
use super::values::open_terms;
use crate::eval::{question, questions};
use crate::print;
use crate::syntax::{
    Command, CommandKind, ParseError, Script, Symbol, TermId, parse, parse_commands,
};

/// The script with models asked for: behind every question, or, if verdicts
/// are given, behind those that were answered `sat`.
pub fn ask_for_models(text: &[u8], verdicts: Option<&[Verdict]>) -> Result<String, ParseError> {
    let mut script = parse(text)?;
    let option = parse_commands(&mut script, "(set-option :produce-models true)")?;
    let ask = parse_commands(&mut script, "(get-model)")?;
    let ask_optimum = parse_commands(&mut script, "(get-objectives)")?;
    let asked_for = questions_of_values(&mut script);
    let aimed = aimed_questions(&script);
    let mut commands: Vec<Command> = option;
    let mut asked = 0;
    let mut behind = false;
    for command in std::mem::take(&mut script.commands) {
        // Requests for values directly behind a question or one for a model are
        // ours, or give way to ours.
        let values = behind && matches!(command.kind, CommandKind::GetValue(..));
        if is_model_command(&script, &command) || values {
            behind |= matches!(command.kind, CommandKind::Word(_));
            continue;
        }
        let is_question = is_question(&command);
        let is_reset =
            matches!(command.kind, CommandKind::Word(word) if script.name(word) == "reset");
        behind = is_question;
        commands.push(command);
        if is_reset {
            commands.push(commands[0].clone());
        }
        if is_question {
            let wanted = verdicts.is_none_or(|v| v.get(asked) == Some(&Verdict::Sat));
            if wanted {
                commands.extend_from_slice(&ask);
                commands.extend(asked_for.get(asked).cloned().flatten());
                if aimed.get(asked) == Some(&true) {
                    commands.extend_from_slice(&ask_optimum);
                }
            }
            asked += 1;
        }
    }
    script.commands = commands;
    Ok(print::script(&script))
}

/// For each question of the script, whether it has objectives.
fn aimed_questions(script: &Script) -> Vec<bool> {
    if !script
        .commands
        .iter()
        .any(|command| is_objective(&command.kind))
    {
        return Vec::new();
    }
    let is_aimed =
        |index| question(script, index).is_some_and(|asked| has_objectives(script, &asked));
    (0..questions(script)).map(is_aimed).collect()
}

/// For each question of the script the command that asks for the values of its
/// open terms, if it has any.
fn questions_of_values(script: &mut Script) -> Vec<Option<Command>> {
    let mut all = Vec::new();
    for index in 0..questions(script) {
        let terms = question(script, index).map(|asked| open_terms(script, &asked));
        let terms = terms.filter(|terms| !terms.is_empty());
        let command = terms.and_then(|terms| {
            let text = format!("(get-value ({}))", terms.join(" "));
            parse_commands(script, &text).ok()?.into_iter().next()
        });
        all.push(command);
    }
    all
}

pub(super) fn is_question(command: &Command) -> bool {
    matches!(
        command.kind,
        CommandKind::CheckSat(_) | CommandKind::CheckSatAssuming(_) | CommandKind::CheckSatUsing(_)
    )
}

/// The terms that are asked for directly behind the model of a question.
pub(super) fn asked_values(script: &Script, question: usize) -> &[TermId] {
    let mut behind = script.commands[question..].iter().skip(1).peekable();
    while let Some(command) = behind.next() {
        match (&command.kind, behind.peek().map(|next| &next.kind)) {
            (CommandKind::Word(word), Some(CommandKind::GetValue(terms, _)))
                if is_get_model(script, *word) =>
            {
                return terms;
            }
            _ if is_question(command) => break,
            _ => {}
        }
    }
    &[]
}

pub(super) fn is_get_model(script: &Script, word: Symbol) -> bool {
    script.name(word) == "get-model"
}

/// What the script itself says about models.
fn is_model_command(script: &Script, command: &Command) -> bool {
    match &command.kind {
        CommandKind::SetOption(attribute) => script.name(attribute.keyword) == ":produce-models",
        CommandKind::Word(word) => {
            is_get_model(script, *word) || script.name(*word) == "get-objectives"
        }
        _ => false,
    }
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
        let text = b"(declare-const x Int)(assert (> x 3))(check-sat)(minimize x)(check-sat)";
        let aimed = ask_for_models(text, None).unwrap();
        assert!(aimed.ends_with("(minimize x)\n(check-sat)\n(get-model)\n(get-objectives)\n"));
        assert_eq!(aimed.matches("(get-objectives)").count(), 1);
        assert_eq!(ask_for_models(aimed.as_bytes(), None).unwrap(), aimed);
        let text = b"(declare-const x Int)(assert (> x 3))(minimize x)(check-sat-using smt)";
        let unaimed = ask_for_models(text, None).unwrap();
        assert!(unaimed.ends_with("(check-sat-using smt)\n(get-model)\n"));
    }
}
