//! What a strategy may see of a script: which commands stay.
//!
//! A strategy that claims an answer sees what decides the answer and nothing
//! else. One that claims nothing may see whatever its author wrote.

use crate::syntax::{Command, CommandKind, Script};

/// Why a seed cannot be used, in words that are the same for all such seeds.
pub(crate) type Unusable = &'static str;

const UNKNOWN_COMMAND: Unusable = "the seed has a command that is not known";

/// Which commands stay beside declarations, assertions and questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    /// `(check-sat-using T)`; it is `(check-sat)` otherwise.
    pub(crate) tactics: bool,
    /// `set-option`, beyond what changes the meaning of the script.
    pub(crate) options: bool,
    /// `assert-soft`, `minimize`, `maximize`: they leave the answer as it is.
    pub(crate) objectives: bool,
    /// `get-unsat-core` and what else asks about the last answer.
    pub(crate) outputs: bool,
}

impl View {
    /// What decides the answers, and nothing else.
    pub(crate) const ANSWERS: View = View {
        tactics: false,
        options: false,
        objectives: false,
        outputs: false,
    };

    /// What the author wrote about how to answer, for strategies that claim
    /// nothing: tactics and objectives stay, and each solver gets what it knows.
    pub(crate) const AS_WRITTEN: View = View {
        tactics: true,
        options: false,
        objectives: true,
        outputs: false,
    };

    /// Drops what is not to be seen; refuses what nothing is known of.
    pub(crate) fn apply(self, script: &mut Script) -> Result<(), Unusable> {
        let mut kept: Vec<Command> = Vec::with_capacity(script.commands.len());
        let mut questions = 0;
        for command in std::mem::take(&mut script.commands) {
            let keep = match &command.kind {
                CommandKind::Word(word) => match script.name(*word) {
                    "exit" => break,
                    "reset" | "reset-assertions" => true,
                    word if word.starts_with("get-") => self.outputs,
                    _ => return Err(UNKNOWN_COMMAND),
                },
                CommandKind::SetOption(attribute) => {
                    self.options || script.name(attribute.keyword) == ":global-declarations"
                }
                CommandKind::SetInfo(_)
                | CommandKind::GetInfo(_)
                | CommandKind::GetOption(_)
                | CommandKind::GetValue(..)
                | CommandKind::Simplify(..)
                | CommandKind::Eval(..)
                | CommandKind::Echo(_) => false,
                CommandKind::AssertSoft(..)
                | CommandKind::Minimize(..)
                | CommandKind::Maximize(..) => self.objectives,
                CommandKind::CheckSatUsing(_) => {
                    questions += 1;
                    if !self.tactics {
                        kept.push(CommandKind::CheckSat(Vec::new()).into());
                    }
                    self.tactics
                }
                CommandKind::CheckSat(_) | CommandKind::CheckSatAssuming(_) => {
                    questions += 1;
                    true
                }
                // Solvers other than cvc5 do not take these.
                CommandKind::Parametric(..) | CommandKind::ParametricFunsRec(_) => {
                    return Err("the seed has sort parameters");
                }
                CommandKind::Unknown(_) => return Err(UNKNOWN_COMMAND),
                _ => true,
            };
            if keep {
                kept.push(command);
            }
        }
        script.commands = kept;
        match questions {
            0 => Err("the seed asks no question"),
            _ => Ok(()),
        }
    }
}
