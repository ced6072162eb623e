//! How a program is made a skeleton.

/// Whether functions are filled each on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Renamings of global variables are taken function by function: fewer
    /// variants (the paper's choice).
    Intra,
    /// Renamings of global variables hold in all functions at once.
    Inter,
}

/// What may fill a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Types {
    /// Variables of the same type.
    Exact,
    /// Also those of types that the language converts without a word.
    Convertible,
}

/// Which variables are interchangeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classes {
    /// Those of the same scope and type (the paper's).
    Paper,
    /// Those that are also declared by the same text, which names nothing else: with
    /// other initial values or attributes a renaming changes the program.
    Strict,
}

/// How a program is made a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// See [`Mode`].
    pub mode: Mode,
    /// See [`Types`].
    pub types: Types,
    /// See [`Classes`].
    pub classes: Classes,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            mode: Mode::Intra,
            types: Types::Exact,
            classes: Classes::Paper,
        }
    }
}
