//! What a contract declares in its ABI: its constructor, functions, events and
//! errors.

use std::collections::BTreeMap;

use revm::primitives::{B256, keccak256};
use serde::Deserialize;
use serde_json::Value;

use crate::abi_type::{AbiType, type_names};

/// The declarations of a contract, each kind by name in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interface {
    /// The constructor, if one is declared.
    pub(crate) constructor: Option<Declaration>,
    pub(crate) functions: BTreeMap<String, Vec<Declaration>>,
    pub(crate) events: BTreeMap<String, Vec<Declaration>>,
    pub(crate) errors: BTreeMap<String, Vec<Declaration>>,
}

/// One declaration. What its kind does not have is empty or false.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) inputs: Vec<AbiType>,
    pub(crate) outputs: Vec<AbiType>,
    /// Which inputs of an event are topics.
    pub(crate) indexed: Vec<bool>,
    /// An event without a topic for its name.
    pub(crate) anonymous: bool,
    /// It takes wei.
    pub(crate) payable: bool,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    inputs: Vec<Param>,
    #[serde(default)]
    outputs: Vec<Param>,
    #[serde(default)]
    anonymous: bool,
    #[serde(default, rename = "stateMutability")]
    mutability: String,
    /// What older compilers write instead of the mutability.
    #[serde(default)]
    payable: bool,
}

#[derive(Deserialize)]
struct Param {
    #[serde(rename = "type")]
    of: String,
    #[serde(default)]
    components: Vec<Param>,
    #[serde(default)]
    indexed: bool,
}

impl Interface {
    /// Reads the entries of an ABI. Those that are no standard ABI (functions of
    /// libraries may have types of their own) are left out.
    pub(crate) fn read(entries: Vec<Value>) -> Interface {
        let mut interface = Interface::default();
        for entry in entries {
            let Ok(entry) = serde_json::from_value::<Entry>(entry) else {
                continue;
            };
            let kind = entry.kind.clone();
            let Some(declaration) = entry.declaration() else {
                continue;
            };
            let declarations = match kind.as_str() {
                "constructor" => {
                    interface.constructor = Some(declaration);
                    continue;
                }
                "function" => &mut interface.functions,
                "event" => &mut interface.events,
                "error" => &mut interface.errors,
                _ => continue,
            };
            let of_name = declarations.entry(declaration.name.clone());
            of_name.or_default().push(declaration);
        }
        interface
    }
}

impl Entry {
    /// Nothing if a type is not of the ABI.
    fn declaration(self) -> Option<Declaration> {
        Some(Declaration {
            inputs: resolve(&self.inputs)?,
            outputs: resolve(&self.outputs)?,
            indexed: self.inputs.iter().map(|param| param.indexed).collect(),
            anonymous: self.anonymous,
            payable: self.payable || self.mutability == "payable",
            name: self.name,
        })
    }
}

fn resolve(params: &[Param]) -> Option<Vec<AbiType>> {
    let resolved = |param: &Param| AbiType::parse(&param.of, &resolve(&param.components)?);
    params.iter().map(resolved).collect()
}

impl Declaration {
    /// The hash of name and types: the first topic of an event.
    pub(crate) fn hash(&self) -> B256 {
        keccak256(format!("{}({})", self.name, type_names(&self.inputs)))
    }

    /// What data of a call, or of an error, begin with.
    pub(crate) fn selector(&self) -> [u8; 4] {
        let hash = self.hash();
        [hash[0], hash[1], hash[2], hash[3]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_have_the_selectors_that_everybody_knows() {
        let text = r#"[
            {"type":"function","name":"transfer","inputs":[{"name":"to","type":"address"},
             {"name":"amount","type":"uint256"}],"outputs":[{"type":"bool"}],"stateMutability":"payable"},
            {"type":"function","name":"old","inputs":[],"constant":false,"payable":true},
            {"type":"event","name":"Transfer","inputs":[{"type":"address","indexed":true},
             {"type":"address","indexed":true},{"type":"uint256"}]},
            {"type":"error","name":"Error","inputs":[{"type":"string"}]},
            {"type":"constructor","inputs":[{"type":"tuple[]","components":[{"type":"uint8"}]}]}]"#;
        let interface = Interface::read(serde_json::from_str(text).unwrap());
        let transfer = &interface.functions["transfer"][0];
        assert_eq!(transfer.selector(), [0xa9, 0x05, 0x9c, 0xbb]);
        assert!(transfer.payable && interface.functions["old"][0].payable);
        let event = &interface.events["Transfer"][0];
        assert!(event.hash().to_string().starts_with("0xddf252ad1be2c89b"));
        assert_eq!(event.indexed, [true, true, false]);
        assert_eq!(
            interface.errors["Error"][0].selector(),
            [0x08, 0xc3, 0x79, 0xa0]
        );
        let constructor = interface.constructor.unwrap();
        assert_eq!(type_names(&constructor.inputs), "(uint8)[]");
    }
}
