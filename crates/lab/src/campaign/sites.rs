//! Where a release died that does not say so: a build with a sanitizer, which is a
//! reference of the plan, is given the same program and tells the place.

use lydite_core::{Case, Observation, Outcome, Role};

use super::options::OptionChoice;
use super::runner::Runner;
use lydite_target::Target;

/// True for a target that runs only where another one died without a word.
pub(super) fn is_teller((target, role): &(Target, Role)) -> bool {
    *role == Role::Reference && target.tells_sites()
}

/// True if a run ended by a signal, and nothing says where.
fn is_bare(observation: &Observation) -> bool {
    match &observation.outcome {
        Outcome::Crashed(site) => is_signal(site),
        _ => false,
    }
}

/// True for the name of a signal alone.
fn is_signal(site: &str) -> bool {
    site.strip_prefix("SIG")
        .is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric()))
}

impl Runner {
    /// Runs those that tell sites on the programs on which a target of their family died
    /// without a word, and takes over what they say.
    pub(super) fn ask_sites(
        &self,
        case: &Case,
        options: &OptionChoice,
        observations: &mut Vec<Observation>,
    ) {
        for teller in self.targets.iter().filter(|target| is_teller(target)) {
            let mut programs: Vec<usize> = observations
                .iter()
                .filter(|seen| is_bare(seen) && seen.target.family == teller.0.name.family)
                .map(|seen| seen.program)
                .collect();
            programs.dedup();
            for program in programs {
                observations.push(self.observe(case, program, teller, &self.limits, options));
            }
        }
        let place = |seen: &Observation| {
            let mut targets = self.targets.iter();
            targets.position(|(target, _)| target.name == seen.target)
        };
        observations.sort_by_key(|seen| (place(seen), seen.program));
        self.fill_sites_again(observations);
    }

    /// The same after some of the runs were repeated.
    pub(super) fn fill_sites_again(&self, observations: &mut [Observation]) {
        fill_sites(observations, &|seen| {
            self.target(&seen.target).is_some_and(is_teller)
        });
    }
}

/// A death without a word gets the site of the first teller of its family that died of
/// the same program, rather one of its own version.
fn fill_sites(observations: &mut [Observation], tells: &dyn Fn(&Observation) -> bool) {
    let told: Vec<Observation> = observations
        .iter()
        .filter(|seen| tells(seen) && !is_bare(seen))
        .filter(|seen| matches!(seen.outcome, Outcome::Crashed(_)))
        .cloned()
        .collect();
    for seen in observations.iter_mut().filter(|seen| is_bare(seen)) {
        let fitting = |teller: &&Observation| {
            teller.program == seen.program && teller.target.family == seen.target.family
        };
        let of_version =
            |teller: &&Observation| fitting(teller) && teller.target.version == seen.target.version;
        let teller = told.iter().find(of_version);
        if let Some(teller) = teller.or_else(|| told.iter().find(fitting)) {
            seen.outcome = teller.outcome.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lydite_core::{Capture, Exit};

    use super::*;

    fn seen(target: &str, program: usize, site: &str) -> Observation {
        Observation {
            program,
            target: target.parse().expect("a name"),
            role: Role::Tested,
            outcome: Outcome::Crashed(site.to_string()),
            exit: Exit::Signal(11),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_kb: 0,
            stdout: Capture::default(),
            stderr: Capture::default(),
            promises: Vec::new(),
        }
    }

    #[test]
    fn a_death_without_a_word_gets_the_site_of_its_own_version_and_program() {
        let mut table = [
            seen("toy@1", 0, "SIGSEGV"),
            seen("toy@1", 1, "SIGSEGV"),
            seen("toy@2", 0, "toy.c Assertion `x' failed"),
            seen("other@1", 0, "SIGSEGV"),
            seen("toy@2:sanitize", 0, "AddressSanitizer: SEGV g"),
            seen("toy@1:sanitize", 0, "AddressSanitizer: SEGV f"),
            seen("toy@1:sanitize", 1, "SIGSEGV"),
        ];
        fill_sites(&mut table, &|seen| seen.target.variant.is_some());
        let sites: Vec<String> = table.iter().map(|seen| seen.outcome.to_string()).collect();
        assert_eq!(
            sites[..4],
            [
                "crashed: AddressSanitizer: SEGV f",
                "crashed: SIGSEGV",
                "crashed: toy.c Assertion `x' failed",
                "crashed: SIGSEGV",
            ]
        );
    }
}
