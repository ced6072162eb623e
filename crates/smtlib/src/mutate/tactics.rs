//! Questions that z3 answers by way of tactics.
//!
//! Every tactic here keeps satisfiability, and models can be traced back
//! through it; a chain of them ends with z3's usual solver. Other solvers get
//! `(check-sat)`: their dialects leave tactics out.

use lydite_core::{Choices, OpenError, Reject, Setting, Settings};

use super::mutant::Mutant;
use crate::syntax::CommandKind;

/// The setting for that.
pub(crate) const TACTICS_SETTING: Setting = Setting::value(
    "tactics",
    "sometimes",
    "whether questions are put to z3 by way of tactics: never, sometimes (one case in eight), always",
);

/// What may come before the solver.
const TACTICS: [&str; 26] = [
    "simplify", "propagate-values", "solve-eqs", "elim-uncnstr", "elim-uncnstr2", "purify-arith",
    "ctx-simplify", "nnf", "tseitin-cnf", "symmetry-reduce", "reduce-args", "der",
    "distribute-forall", "propagate-ineqs", "max-bv-sharing", "qe-light", "macro-finder",
    "blast-term-ite", "cofactor-term-ite", "propagate-bv-bounds", "recover-01", "elim-term-ite",
    "card2bv", "fix-dl-var", "bv1-blast", "injectivity",
];

/// How often questions get tactics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tactics {
    Never,
    Sometimes,
    Always,
}

impl Tactics {
    /// What the setting says.
    pub(crate) fn read(settings: &Settings) -> Result<Tactics, OpenError> {
        let value = settings.get(TACTICS_SETTING.key);
        Ok(match value.unwrap_or(TACTICS_SETTING.default) {
            "never" => Tactics::Never,
            "sometimes" => Tactics::Sometimes,
            "always" => Tactics::Always,
            other => {
                return Err(OpenError::BadSetting {
                    key: TACTICS_SETTING.key.to_string(),
                    value: other.to_string(),
                    expected: "never, sometimes or always".to_string(),
                });
            }
        })
    }

    /// Gives one question tactics, if it is this case's turn; what was done.
    pub(crate) fn vary(
        self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
    ) -> Result<Option<String>, Reject> {
        let wanted = match self {
            Tactics::Never => false,
            Tactics::Sometimes => choices.chance(1, 8)?,
            Tactics::Always => true,
        };
        if !wanted {
            return Ok(None);
        }
        let commands = mutant.original().script.commands.iter().enumerate();
        let plain = commands.filter(|(_, command)| match &command.kind {
            CommandKind::CheckSat(assumed) => assumed.is_empty(),
            CommandKind::CheckSatUsing(_) => true,
            _ => false,
        });
        let plain: Vec<usize> = plain.map(|(at, _)| at).collect();
        if plain.is_empty() {
            return Ok(None);
        }
        let mut tactic = String::from("(then");
        for _ in 0..choices.between(1, 3)? {
            tactic.push(' ');
            tactic.push_str(choices.pick(&TACTICS)?);
        }
        tactic.push_str(" smt)");
        let at = *choices.pick(&plain)?;
        mutant.replace_command(at, format!("(check-sat-using {tactic})"));
        Ok(Some(format!("check-sat using {tactic}")))
    }
}
