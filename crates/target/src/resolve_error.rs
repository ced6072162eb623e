//! Why a name gives no target, and what to do about it.

use lydite_core::TargetName;
use lydite_core::version::VersionSet;

/// Why a name gives no target.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// No such family.
    #[error("target {name}: no family `{}` ({})", .name.family, guess(near.as_ref(), "lydite targets list"))]
    UnknownFamily {
        /// What was asked for.
        name: TargetName,
        /// What was perhaps meant.
        near: Option<String>,
    },
    /// No such variant.
    #[error("target {name}: no variant of that name ({})", guess(near.as_ref(), &format!("lydite targets list {}", .name.family)))]
    UnknownVariant {
        /// What was asked for.
        name: TargetName,
        /// What was perhaps meant.
        near: Option<String>,
    },
    /// The version part is no set of versions.
    #[error("target {name}: {error}")]
    BadVersions {
        /// What was asked for.
        name: TargetName,
        /// Why.
        error: lydite_core::version::VersionSetError,
    },
    /// Nothing of it is here.
    #[error(
        "target {name}: not installed (lydite targets install {})",
        install_name(name)
    )]
    NotInstalled {
        /// What was asked for.
        name: TargetName,
    },
    /// The versions that are here do not have the variant.
    #[error("target {name}: the variant needs version {versions}")]
    VariantNotInVersion {
        /// What was asked for.
        name: TargetName,
        /// What it needs.
        versions: String,
    },
    /// It is here, but not as it was installed.
    #[error(
        "target {name}: {why:#} (lydite targets install {})",
        install_name(name)
    )]
    Broken {
        /// What was asked for.
        name: TargetName,
        /// What is wrong.
        why: anyhow::Error,
    },
}

/// What was perhaps meant, or else the command that shows what there is.
fn guess(near: Option<&String>, command: &str) -> String {
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{command} shows all"),
    }
}

/// The name as it can be given to a shell.
fn install_name(name: &TargetName) -> String {
    let text = name.to_string();
    if text.contains(['*', '<', '>', ' ', '!', '~']) {
        format!("'{text}'")
    } else {
        text
    }
}

/// The versions that a name asks for; none means the newest.
pub fn version_set(name: &TargetName) -> Result<VersionSet, ResolveError> {
    match &name.version {
        None => Ok(VersionSet::Latest),
        Some(text) => text.parse().map_err(|error| ResolveError::BadVersions {
            name: name.clone(),
            error,
        }),
    }
}
