//! What cases are made from.

use std::sync::Arc;

use crate::Claim;

/// Somebody's program, as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The path below the folder that the user named, with `/`.
    pub name: String,
    /// Its bytes.
    pub text: Arc<[u8]>,
    /// What was found out about it and written down beside it, for a seed
    /// that does not say so itself ([`crate::strategy::known_of`] knows all).
    pub claim: Option<Claim>,
}
