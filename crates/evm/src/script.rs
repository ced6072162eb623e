//! Transactions as text, one per line:
//!
//! ```text
//! # deploys, with an account's address and a value
//! new Token(1000, @0) value 5
//! Token.transfer(@1, 12) from 0
//! Token.add[uint8,uint8](3, 4)     which of several functions of that name
//! raw Token 0xdeadbeef             any data
//! ```
//!
//! Arguments are literals of the ABI: numbers, `true`, `"text"`, `0x…` for
//! addresses and bytes, `[…]` for arrays, `(…)` for structs; `@2` is the third
//! account, `@Token` the contract of that name. `value` is in wei, `from` the
//! number of the account that sends, the first if not said. A line `hide state`
//! leaves out what is said of storage and balances at the end: whoever made
//! the transactions need not know how a compiler lays out storage.

use revm::primitives::{U256, hex};

use crate::chain::ACCOUNTS;

/// How large a script may be.
const TEXT_BYTES: usize = 16 << 20;

/// How many transactions it may have.
const TRANSACTIONS: usize = 100_000;

/// A list of transactions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The transactions, in order.
    pub transactions: Vec<Transaction>,
    /// True if nothing is said of storage and balances at the end.
    pub hides_state: bool,
}

/// One transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The line as it was written.
    pub text: String,
    /// What it does.
    pub action: Action,
    /// The contract that it is for.
    pub contract: String,
    /// The wei that go with it.
    pub value: U256,
    /// The number of the account that sends it.
    pub sender: usize,
}

/// What a transaction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Deploys the contract.
    Deploy {
        /// `(…)`.
        arguments: String,
    },
    /// Calls a function of it.
    Call {
        /// Its name.
        function: String,
        /// The types of its parameters, where the name is not enough.
        types: Option<String>,
        /// `(…)`.
        arguments: String,
    },
    /// Sends data.
    Raw(Vec<u8>),
}

/// Why a text is no script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ScriptError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

impl Script {
    /// Reads a script.
    pub fn parse(text: &[u8]) -> Result<Script, ScriptError> {
        let at = |line: usize| {
            move |what: &str| ScriptError {
                line,
                what: what.to_string(),
            }
        };
        if text.len() > TEXT_BYTES {
            return Err(at(1)("more text than is read"));
        }
        let text = std::str::from_utf8(text).map_err(|_| at(1)("not UTF-8"))?;
        let mut script = Script::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line == "hide state" {
                script.hides_state = true;
                continue;
            }
            if script.transactions.len() == TRANSACTIONS {
                return Err(at(number + 1)("too many transactions"));
            }
            let transaction = parse_line(line).map_err(at(number + 1))?;
            script.transactions.push(transaction);
        }
        Ok(script)
    }
}

fn parse_line(line: &str) -> Result<Transaction, &'static str> {
    if let Some(rest) = line.strip_prefix("raw ") {
        let mut words = rest.split_whitespace();
        let contract = words.next().ok_or("expected a contract behind `raw`")?;
        let data = words.next().unwrap_or("0x");
        let data = hex::decode(data).map_err(|_| "expected data in hexadecimal: 0x…")?;
        let rest: Vec<&str> = words.collect();
        return finished(line, contract, Action::Raw(data), &rest.join(" "));
    }
    let open = line.find(['(', '[']).ok_or("expected `(` and arguments")?;
    let (head, rest) = line.split_at(open);
    let (types, rest) = match rest.strip_prefix('[') {
        None => (None, rest),
        Some(rest) => {
            let (types, rest) = split_types(rest).ok_or("`[` without `](`")?;
            (Some(types.to_string()), rest)
        }
    };
    let end = closing(rest).ok_or("the parentheses of the arguments do not match")?;
    let (arguments, rest) = rest.split_at(end);
    let arguments = arguments.to_string();
    match head.strip_prefix("new ") {
        Some(_) if types.is_some() => Err("a constructor needs no types"),
        Some(contract) => finished(line, contract.trim(), Action::Deploy { arguments }, rest),
        None => {
            let named = head.rsplit_once('.');
            let (contract, function) = named.ok_or("expected CONTRACT.FUNCTION(…)")?;
            let action = Action::Call {
                function: function.trim().to_string(),
                types,
                arguments,
            };
            finished(line, contract.trim(), action, rest)
        }
    }
}

/// The types end at the `](` that the arguments follow.
fn split_types(text: &str) -> Option<(&str, &str)> {
    let at = text.find("](")?;
    Some((&text[..at], &text[at + 1..]))
}

/// The length of the text up to the parenthesis that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn finished(
    line: &str,
    contract: &str,
    action: Action,
    rest: &str,
) -> Result<Transaction, &'static str> {
    let mut transaction = Transaction {
        text: line.to_string(),
        action,
        contract: contract.to_string(),
        value: U256::ZERO,
        sender: 0,
    };
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        let given = words.next().unwrap_or_default();
        match word {
            "value" => {
                let value = given.parse::<u128>();
                transaction.value = U256::from(value.map_err(|_| "`value` without a number")?);
            }
            "from" => {
                let number = given.parse().map_err(|_| "`from` without a number")?;
                if number >= ACCOUNTS {
                    return Err("`from`: no such account");
                }
                transaction.sender = number;
            }
            _ => return Err("expected `value` or `from` behind the arguments"),
        }
    }
    Ok(transaction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_the_format_says() {
        let text = "\n# comment\nnew a.sol:T(1, \")\") value 5 from 3\nT.f[uint8[],bool]([1], true)\nraw T 0x0102 from 1\nraw T\n";
        let script = Script::parse(text.as_bytes()).unwrap();
        let [deploy, call, raw, empty] = &script.transactions[..] else {
            panic!("{script:?}");
        };
        assert_eq!(deploy.contract, "a.sol:T");
        assert_eq!((deploy.value, deploy.sender), (U256::from(5), 3));
        assert_eq!(
            call.action,
            Action::Call {
                function: "f".to_string(),
                types: Some("uint8[],bool".to_string()),
                arguments: "([1], true)".to_string(),
            }
        );
        assert_eq!((&raw.action, raw.sender), (&Action::Raw(vec![1, 2]), 1));
        assert_eq!(empty.action, Action::Raw(Vec::new()));
    }

    #[test]
    fn the_state_at_the_end_can_be_hidden() {
        assert!(Script::parse(b"hide state\nT.f()").unwrap().hides_state);
        assert!(!Script::parse(b"T.f()").unwrap().hides_state);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, said) in [
            ("f", "line 1: expected `(` and arguments"),
            ("\nf(1)", "line 2: expected CONTRACT.FUNCTION(…)"),
            (
                "A.f(1",
                "line 1: the parentheses of the arguments do not match",
            ),
            (
                "A.f(\"(\"",
                "line 1: the parentheses of the arguments do not match",
            ),
            ("A.f(1) value", "line 1: `value` without a number"),
            ("A.f(1) from 9", "line 1: `from`: no such account"),
            (
                "A.f(1) gas 9",
                "line 1: expected `value` or `from` behind the arguments",
            ),
            ("A.f[uint(1)", "line 1: `[` without `](`"),
            ("new A[uint](1)", "line 1: a constructor needs no types"),
            ("raw A 0x1", "line 1: expected data in hexadecimal: 0x…"),
        ] {
            let error = Script::parse(text.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), said);
        }
        assert!(Script::parse(b"A.f(\xff)").is_err());
        let deep = format!("A.f{}", "(".repeat(1 << 20));
        assert!(Script::parse(deep.as_bytes()).is_err());
    }
}
