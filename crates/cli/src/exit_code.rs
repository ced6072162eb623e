//! Exit codes, as documented in `lydite --help`.

use lydite_core::fault::Fault;
use lydite_store::seal::is_damage;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// Nothing was found.
    Clean = 0,
    /// The user's files, settings or words are not right.
    Usage = 2,
    /// A bug of ours.
    Internal = 3,
    /// A target is missing or does not work.
    TargetUnusable = 4,
    /// Results cannot be written.
    CannotWrite = 5,
    /// There are findings that are not known upstream.
    Findings = 10,
    /// Ctrl-C.
    Interrupted = 130,
}

impl ExitCode {
    /// The code for an error: what is expected has a fault, anything else is a
    /// bug of ours.
    pub(crate) fn of(error: &anyhow::Error) -> ExitCode {
        match Fault::of(error) {
            Some(Fault::Usage) => ExitCode::Usage,
            Some(Fault::TargetUnusable) => ExitCode::TargetUnusable,
            Some(Fault::CannotWrite) => ExitCode::CannotWrite,
            // A damaged store is the user's to restore, wherever it is noticed.
            None if is_damage(error) => ExitCode::Usage,
            None => ExitCode::Internal,
        }
    }

    /// The code of something that was done for several things, of which some
    /// failed: what all of these have in common, or that of the gravest.
    pub(crate) fn of_all(failures: &[ExitCode]) -> ExitCode {
        let order = [
            ExitCode::Internal,
            ExitCode::CannotWrite,
            ExitCode::TargetUnusable,
            ExitCode::Usage,
        ];
        let gravest = order.into_iter().find(|code| failures.contains(code));
        gravest.unwrap_or(ExitCode::Clean)
    }

    /// The code of a command that looked for bugs.
    pub(crate) fn found(any: bool) -> ExitCode {
        if any {
            ExitCode::Findings
        } else {
            ExitCode::Clean
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> std::process::ExitCode {
        std::process::ExitCode::from(code as u8)
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;
    use lydite_core::fault::usage;

    use super::*;

    #[test]
    fn what_nobody_expected_is_internal_and_the_gravest_of_several_counts() {
        assert_eq!(ExitCode::of(&anyhow!("what")), ExitCode::Internal);
        assert_eq!(ExitCode::of(&usage("no")), ExitCode::Usage);
        let full = anyhow!("disk").context(Fault::CannotWrite);
        assert_eq!(ExitCode::of(&full), ExitCode::CannotWrite);
        for (codes, all) in [
            (vec![], ExitCode::Clean),
            (vec![ExitCode::Usage, ExitCode::Usage], ExitCode::Usage),
            (
                vec![ExitCode::Usage, ExitCode::CannotWrite],
                ExitCode::CannotWrite,
            ),
        ] {
            assert_eq!(ExitCode::of_all(&codes), all);
        }
    }
}
