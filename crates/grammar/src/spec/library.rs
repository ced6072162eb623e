//! Specs and libraries that come with lydite: the folder `specs/`.

use lydite_core::nearest::nearest;

/// A file of ours.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name on the command line, or after `use`.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! file {
    ($folder:literal, $name:literal) => {
        BuiltIn {
            name: $name,
            text: include_str!(concat!("../../../../specs/", $folder, $name, ".spec")),
        }
    };
}

/// What every spec uses.
pub(crate) const PRELUDE: BuiltIn = file!("lib/", "prelude");

/// What a spec can `use`.
pub const LIBRARIES: &[BuiltIn] = &[file!("lib/", "symbols"), file!("lib/", "scopes")];

/// Specs, the small ones of the tutorial first.
pub const SPECS: &[BuiltIn] = &[
    file!("", "assignments"),
    file!("", "assignments-guarded"),
    file!("", "smtlib"),
    file!("", "smtlib-floats"),
    file!("", "smtlib-strings"),
    file!("", "smtlib-wide"),
    file!("", "lua"),
    file!("", "c"),
    file!("", "c-safe"),
    file!("", "c-known"),
    file!("", "c-wide"),
    file!("", "sql"),
    file!("", "sql-known"),
    file!("", "javascript"),
    file!("", "javascript-calls"),
    file!("", "awk"),
    file!("", "jq"),
    file!("", "sh"),
    file!("", "sed"),
    file!("", "scheme"),
];

/// The library of that name, or what to say instead.
pub(crate) fn find(name: &str) -> Result<BuiltIn, String> {
    named(LIBRARIES, name, "library")
}

/// The spec of that name, or what to say instead.
pub fn find_spec(name: &str) -> Result<BuiltIn, String> {
    named(SPECS, name, "spec")
}

fn named(all: &[BuiltIn], name: &str, what: &str) -> Result<BuiltIn, String> {
    if let Some(found) = all.iter().find(|known| known.name == name) {
        return Ok(*found);
    }
    let names = all.iter().map(|known| known.name);
    Err(match nearest(name, names.clone()) {
        Some(near) => format!("there is no {what} {name}; did you mean `{near}`?"),
        None => {
            let names = names.collect::<Vec<_>>().join(", ");
            format!("there is no {what} {name} (there is {names})")
        }
    })
}
