//! Known issues: where a whole feature is broken, the target is left out of
//! cases that use it. So a hunt goes on past what is known, until the version
//! that fixes it. (That a symptom is known, the judge says.)

use lydite_core::{Case, Program, Remark, Role};

use super::runner::Runner;
use lydite_target::{Known, Target};

/// What is counted when a target is left out.
const LEFT_OUT: &str = "left out: a known issue is about this feature";

impl Runner {
    /// The runner without the targets that have a known issue with a feature of
    /// the case, `None` if all take part; and who is left out.
    pub(super) fn without_affected(&self, case: &Case) -> (Option<Runner>, Vec<(usize, Remark)>) {
        let mut left_out = Vec::new();
        for (number, (target, _)) in self.targets.iter().enumerate() {
            if let Some((program, known)) = self.affected(target, case) {
                let remark = Remark {
                    target: target.name.clone(),
                    program,
                    decided: false,
                    what: LEFT_OUT,
                    why: known.issue.clone(),
                };
                left_out.push((number, remark));
            }
        }
        if left_out.is_empty() {
            return (None, left_out);
        }
        let stays = |number: &usize| !left_out.iter().any(|(other, _)| other == number);
        let targets: Vec<(Target, Role)> = self
            .targets
            .iter()
            .enumerate()
            .filter(|(number, _)| stays(number))
            .map(|(_, target)| target.clone())
            .collect();
        let runner = Runner {
            targets,
            ..self.clone()
        };
        (Some(runner), left_out)
    }

    /// The first program that uses what is broken in the target.
    pub(super) fn affected<'a>(
        &self,
        target: &'a Target,
        case: &Case,
    ) -> Option<(usize, &'a Known)> {
        let known = target.family().known.iter();
        let mut broken = known.filter(|k| k.is_about_a_feature() && k.affects(&target.version));
        broken.find_map(|known| {
            let programs = case.programs.iter();
            let number = programs
                .clone()
                .position(|program| self.uses_all(program, known))?;
            Some((number, known))
        })
    }

    fn uses_all(&self, program: &Program, known: &Known) -> bool {
        let mut features = known.features.iter();
        features.all(|feature| self.language.uses(program, feature))
    }
}
