//! Programs that somebody else wrote, as far as [`crate::ast`] has words for
//! them: what the interpreter is held against.
//!
//! Names are kept beside the program, since [`crate::ast`] numbers them. What
//! cannot be read is said, and nothing is guessed: a program that is read means
//! what it meant.

mod bodies;
mod calls;
mod declare;
mod express;
mod lex;
mod parse;
mod resolve;
mod tree;

use std::collections::BTreeMap;

use crate::ast::{Ast, ContractId, FunctionId, SignalId, VariableId};

/// Why a program is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not read: {0}")]
pub struct Unread(pub &'static str);

/// A program, and what its parts were called.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The program.
    pub ast: Ast,
    /// The values of its placeholders.
    pub values: Vec<u8>,
    /// Contracts, interfaces and libraries.
    pub contracts: BTreeMap<ContractId, String>,
    /// Functions; constructors have no name.
    pub functions: BTreeMap<FunctionId, String>,
    /// State variables.
    pub variables: BTreeMap<VariableId, String>,
    /// Events and errors.
    pub signals: BTreeMap<SignalId, String>,
}

/// The longest text that is read, in bytes.
const LONGEST: usize = 1 << 20;

/// Reads a program of one file, in the language as it is since 0.8.
pub fn read(text: &str) -> Result<Reading, Unread> {
    if text.len() > LONGEST {
        return Err(Unread("a program that is too long"));
    }
    let parts = parse::Parser::new(lex::tokens(text)?).file()?;
    declare::Reader::new().program(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Words, lay_out};
    use crate::qualify::Placeholder;
    use crate::version::Dialect;

    /// The program as it is printed, from its first contract on.
    fn printed(text: &str) -> String {
        let reading = read(text).unwrap();
        let dialect: Dialect = "0.8.20".parse().unwrap();
        let value = |placeholder: Placeholder| reading.values[placeholder.0 as usize];
        let program = lay_out(&reading.ast, &dialect).program(&Words::new(&dialect), value);
        let text = String::from_utf8(program.source().text.to_vec()).unwrap();
        let at = text.find("contract").unwrap();
        text[at..].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_read_is_printed_with_other_names() {
        assert_eq!(
            printed(
                "contract A { uint[] public xs; event Told(uint indexed n, bytes b);
                 function f(uint8 n) external returns (uint r) {
                   xs.push(n + 2 * 3); emit Told(xs.length, \"ab\"); return xs[0]; } }"
            ),
            "contract C0 { event E0(uint256 indexed v0, bytes v1); uint256[] public v2; \
             function f0(uint8 v3) external returns (uint256 v4) { v2.push(v3 + 6); \
             emit E0(v2.length, \"ab\"); return v2[0]; } }"
        );
    }

    #[test]
    fn names_are_found_where_they_stand() {
        let text = "contract A { uint x; function f() public virtual returns (uint) { return x; } }
            contract B is A { function f() public override returns (uint) {
              uint x = super.f(); { uint x = 2; x; } return x; } }";
        let printed = printed(text);
        assert!(printed.contains("uint256 v3 = super.f0();"), "{printed}");
        assert!(printed.contains("uint256 v4 = 2;"), "{printed}");
        assert!(printed.ends_with("return v3; } }"), "{printed}");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, expected) in [
            (
                "contract C { function f() public { assembly {} } }",
                "inline assembly",
            ),
            ("import \"a\";", "several files"),
            ("contract C {", "a part of another kind"),
            (
                "contract C { function f() public { g(); } }",
                "a name without a declaration",
            ),
            ("\u{1}", "a letter that no token begins with"),
        ] {
            assert_eq!(read(text).unwrap_err(), Unread(expected), "{text}");
        }
        let deep = format!("contract C {{ uint x = {}1; }}", "(".repeat(10_000));
        assert!(read(&deep).is_err());
    }
}
