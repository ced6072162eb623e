//! The grammars that come with lydite: the folder `grammars/`.

use lydite_core::nearest::nearest;

/// A grammar of ours.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

macro_rules! built_in {
    ($($name:literal),+ $(,)?) => {
        &[$(BuiltIn {
            name: $name,
            text: include_str!(concat!("../../../grammars/", $name, ".grammar")),
        }),+]
    };
}

/// All of them: first those of the thesis, made faster and as printed, then our further ones for SMT-LIB,
/// then other languages.
pub const BUILT_IN: &[BuiltIn] = built_in![
    "core", "ints", "reals", "realints", "bitvectors", "arrays", "fp", "strings",
    "thesis-realints", "thesis-bitvectors", "thesis-arrays", "thesis-fp", "quantifiers",
    "incremental", "functions", "datatypes", "sequences", "sets", "mixed", "lua", "sql",
    "javascript",
];

/// The grammar of that name, or what to say instead.
pub fn find(name: &str) -> Result<&'static BuiltIn, String> {
    if let Some(found) = BUILT_IN.iter().find(|grammar| grammar.name == name) {
        return Ok(found);
    }
    let names = BUILT_IN.iter().map(|grammar| grammar.name);
    match nearest(name, names.clone()) {
        Some(near) => Err(format!("did you mean `{near}`?")),
        None => Err(format!("there is {}", names.collect::<Vec<_>>().join(", "))),
    }
}
