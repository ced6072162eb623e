//! SMT-LIB: syntax, sorts, typing, printing, exact evaluation, models, edits.

pub mod value;
