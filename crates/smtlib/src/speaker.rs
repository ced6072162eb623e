//! Which solvers know a row of the tables.

/// Who knows an operator or a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// Everybody.
    All,
    /// z3 only.
    Z3,
    /// cvc5 (and cvc4) only.
    Cvc5,
    /// bitwuzla only.
    Bitwuzla,
}

impl Speaker {
    /// Whom an attribute names.
    pub(crate) fn named(attribute: &str) -> Option<Speaker> {
        Some(match attribute {
            ":z3" => Speaker::Z3,
            ":cvc5" => Speaker::Cvc5,
            ":bitwuzla" => Speaker::Bitwuzla,
            _ => return None,
        })
    }
}
