//! Reading TOML with errors that point: file, line, column, nearest key.

use anyhow::{Result, anyhow};
use lydite_core::nearest::nearest;
use serde::de::DeserializeOwned;

/// Parses `text`; `origin` is the file named in errors.
pub fn parse<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| anyhow!("{origin}: {}", explained(&error)))
}

/// The library's message with line and excerpt, and for an unknown key or
/// word the known one that was probably meant.
fn explained(error: &toml::de::Error) -> String {
    let mut message = error.to_string().trim_end().to_string();
    let mut quoted = error.message().split('`').skip(1).step_by(2);
    if error.message().starts_with("unknown ")
        && let Some(key) = quoted.next()
        && let Some(near) = nearest(key, quoted)
    {
        message.push_str(&format!("\ndid you mean `{near}`?"));
    }
    message
}
