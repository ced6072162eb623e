//! Exit codes, as documented in `lydite --help`.

use lydite_lab::fault::Fault;

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
    /// The code for an error: its fault if it names one, else the user's.
    pub(crate) fn of(error: &anyhow::Error) -> ExitCode {
        match error.downcast_ref::<Fault>() {
            Some(Fault::TargetUnusable) => ExitCode::TargetUnusable,
            Some(Fault::CannotWrite) => ExitCode::CannotWrite,
            None => ExitCode::Usage,
        }
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
