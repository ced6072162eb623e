//! What a compiler made: the contracts of a program, with code and ABI.
//!
//! The text is that of our driver for solc: an object whose `contracts` lists
//! `file`, `name`, `abi`, `bin` (hexadecimal creation code) and `links`, the
//! places in the code that the addresses of libraries go to. What compilers print with
//! `--combined-json abi,bin` is read too; there is no place for a library in it.

use std::collections::{BTreeMap, BTreeSet};

use revm::primitives::{Address, hex};
use serde::Deserialize;

use crate::interface::Interface;

/// How large the text may be.
const TEXT_BYTES: usize = 256 << 20;

/// The contracts of a program.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// The contracts, in the order of the text.
    pub contracts: Vec<Contract>,
}

/// One contract, interface or library.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Its name; where two files have one of the same name, `file:name`.
    pub name: String,
    /// What it declares.
    pub(crate) interface: Interface,
    /// The creation code, in hexadecimal, with open places; empty for what
    /// cannot be deployed.
    code: String,
    /// Where libraries go: the name and its places, in bytes.
    links: BTreeMap<String, Vec<usize>>,
}

/// Why the text is not what a compiler makes.
#[derive(Debug, thiserror::Error)]
pub enum CompiledError {
    /// It is too large to be looked at.
    #[error("{0} bytes of compiler output, more than are read")]
    TooLarge(usize),
    /// It is no such object.
    #[error("not the output of the compiler's driver: {0}")]
    Malformed(#[from] serde_json::Error),
}

#[derive(Deserialize)]
struct Text {
    contracts: TextContracts,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TextContracts {
    Listed(Vec<TextContract>),
    /// By file and name: `a.sol:C`.
    Combined(BTreeMap<String, CombinedContract>),
}

#[derive(Deserialize)]
struct CombinedContract {
    #[serde(default)]
    abi: Vec<serde_json::Value>,
    #[serde(default)]
    bin: String,
}

#[derive(Deserialize)]
struct TextContract {
    file: String,
    name: String,
    #[serde(default)]
    abi: Vec<serde_json::Value>,
    #[serde(default)]
    bin: String,
    #[serde(default)]
    links: BTreeMap<String, BTreeMap<String, Vec<Place>>>,
}

#[derive(Deserialize)]
struct Place {
    start: usize,
}

impl TextContracts {
    fn list(self) -> Vec<TextContract> {
        let contracts = match self {
            TextContracts::Listed(list) => return list,
            TextContracts::Combined(contracts) => contracts,
        };
        let listed = contracts.into_iter().map(|(path, contract)| {
            let (file, name) = path.rsplit_once(':').unwrap_or(("", &path));
            TextContract {
                file: file.to_string(),
                name: name.to_string(),
                abi: contract.abi,
                bin: contract.bin,
                links: BTreeMap::new(),
            }
        });
        listed.collect()
    }
}

impl Compiled {
    /// Reads what the driver wrote.
    pub fn parse(text: &[u8]) -> Result<Compiled, CompiledError> {
        if text.len() > TEXT_BYTES {
            return Err(CompiledError::TooLarge(text.len()));
        }
        let text: Text = serde_json::from_slice(text)?;
        let mut seen = BTreeSet::new();
        let listed = text.contracts.list();
        let names = listed.iter().map(|contract| contract.name.clone());
        let twice: BTreeSet<String> = names.filter(|name| !seen.insert(name.clone())).collect();
        let contracts = listed.into_iter().map(|contract| {
            let name = match twice.contains(&contract.name) {
                true => format!("{}:{}", contract.file, contract.name),
                false => contract.name,
            };
            let links = contract.links.into_values().flatten();
            Contract {
                name,
                interface: Interface::read(contract.abi),
                code: contract.bin,
                links: links
                    .map(|(name, places)| (name, places.iter().map(|place| place.start).collect()))
                    .collect(),
            }
        });
        Ok(Compiled {
            contracts: contracts.collect(),
        })
    }

    /// The contract of that name.
    pub fn contract(&self, name: &str) -> Option<&Contract> {
        let mut contracts = self.contracts.iter();
        contracts.find(|contract| contract.name == name)
    }
}

impl Contract {
    /// True if there is code to deploy.
    pub fn is_deployable(&self) -> bool {
        !self.code.is_empty()
    }

    /// The libraries that its code needs.
    pub fn libraries(&self) -> impl Iterator<Item = &str> {
        self.links.keys().map(String::as_str)
    }

    /// The creation code with libraries in their places; nothing if one is
    /// missing or the text is no code.
    pub fn linked(&self, libraries: &BTreeMap<String, Address>) -> Option<Vec<u8>> {
        let mut code = self.code.clone().into_bytes();
        for (name, places) in &self.links {
            let address = hex::encode(libraries.get(name)?);
            for start in places {
                let from = start.checked_mul(2)?;
                let place = code.get_mut(from..from.checked_add(address.len())?)?;
                place.copy_from_slice(address.as_bytes());
            }
        }
        hex::decode(code).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_go_to_their_places_and_missing_ones_are_noticed() {
        let text = r#"{"contracts":[{"file":"a.sol","name":"C","abi":[],
            "bin":"60__$0000000000000000000000000000000000$__61",
            "links":{"a.sol":{"L":[{"start":1,"length":20}]}}}]}"#;
        let compiled = Compiled::parse(text.as_bytes()).unwrap();
        let contract = compiled.contract("C").unwrap();
        assert_eq!(contract.libraries().collect::<Vec<_>>(), ["L"]);
        assert_eq!(contract.linked(&BTreeMap::new()), None);
        let address = Address::repeat_byte(0xab);
        let code = contract.linked(&BTreeMap::from([("L".to_string(), address)]));
        let code = code.unwrap();
        assert_eq!(code.len(), 22);
        assert_eq!(
            (code[0], code[1], code[20], code[21]),
            (0x60, 0xab, 0xab, 0x61)
        );
    }

    #[test]
    fn contracts_of_one_name_are_told_apart_by_their_files() {
        let text = r#"{"contracts":[{"file":"a.sol","name":"C"},{"file":"b.sol","name":"C"},
            {"file":"b.sol","name":"D"}]}"#;
        let compiled = Compiled::parse(text.as_bytes()).unwrap();
        let names: Vec<&str> = compiled.contracts.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["a.sol:C", "b.sol:C", "D"]);
    }

    #[test]
    fn combined_json_is_read_too() {
        let text = r#"{"contracts":{"a.sol:C":{"abi":[],"bin":"6001"},"b.sol:I":{"abi":[]}},"version":"1"}"#;
        let compiled = Compiled::parse(text.as_bytes()).unwrap();
        let names: Vec<&str> = compiled.contracts.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["C", "I"]);
        let [contract, interface] = &compiled.contracts[..] else {
            panic!("two contracts");
        };
        assert_eq!(contract.linked(&BTreeMap::new()), Some(vec![0x60, 1]));
        assert!(!interface.is_deployable());
    }

    #[test]
    fn what_is_no_output_of_a_compiler_is_refused_and_odd_entries_are_left_out() {
        for text in [
            "", "{}", "[]", "{\"contracts\":3}", "{\"contracts\":{\"C\":3}}", "\u{0}",
        ] {
            assert!(Compiled::parse(text.as_bytes()).is_err(), "{text}");
        }
        let text = r#"{"contracts":[{"file":"a","name":"L","abi":[
            {"type":"function","name":"f","inputs":[{"name":"s","type":"L.S storage"}],"outputs":[]},
            {"type":"function","name":"g","inputs":[],"outputs":[],"constant":true,"payable":false},
            {"type":"wish"}, 7]}]}"#;
        let compiled = Compiled::parse(text.as_bytes()).unwrap();
        let names: Vec<&String> = compiled.contracts[0].interface.functions.keys().collect();
        assert_eq!(names, ["g"]);
    }
}
