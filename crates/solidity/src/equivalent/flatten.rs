//! One text of a contract and everything that it imports.
//!
//! Imports go, what they bring stands before what uses it, names that an
//! import changed are changed back. Two files that define one name each for
//! themselves cannot be joined.

use std::collections::{BTreeMap, BTreeSet};

use lydite_syntax::{NodeId, SyntaxTree};

use super::outline::{OutlineError, parse};

/// A file with its imports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// For messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What each of its imports is, in their order: the number of a unit.
    pub imports: Vec<usize>,
}

/// Why files cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlattenError {
    /// A file cannot be read.
    #[error("{0}: {1}")]
    Unread(String, OutlineError),
    /// A name means two things.
    #[error("{0} and {1} both define `{2}`")]
    Twice(String, String, String),
}

/// The paths that a text imports, in their order.
pub fn imports(text: &str) -> Result<Vec<String>, OutlineError> {
    let tree = parse(text.as_bytes())?;
    let sources = directives(&tree).map(|id| {
        let source = tree
            .children(id)
            .find(|id| tree.field(*id) == Some("source"));
        let range = source.map(|id| tree.node(id).range.clone());
        let path = range.map_or("", |range| &text[range]);
        path.trim_matches(['"', '\'']).to_string()
    });
    Ok(sources.collect())
}

fn directives(tree: &SyntaxTree) -> impl Iterator<Item = NodeId> {
    tree.children(0)
        .filter(|id| tree.kind(*id) == "import_directive")
}

/// Joins units; `main` comes last.
pub fn flatten(units: &[Unit], main: usize) -> Result<String, FlattenError> {
    let mut text = String::new();
    let mut defined: BTreeMap<String, usize> = BTreeMap::new();
    let mut pragmas = BTreeSet::new();
    for number in order(units, main) {
        let unit = &units[number];
        let error = |error| FlattenError::Unread(unit.name.clone(), error);
        let tree = parse(unit.text.as_bytes()).map_err(error)?;
        for name in definitions(&tree, &unit.text) {
            if let Some(other) = defined.insert(name.clone(), number) {
                let other = units[other].name.clone();
                return Err(FlattenError::Twice(other, unit.name.clone(), name));
            }
        }
        write_unit(unit, &tree, &mut pragmas, &mut text);
    }
    Ok(text)
}

/// Every unit that is needed, what is imported first.
fn order(units: &[Unit], main: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut begun = BTreeSet::from([main]);
    let mut open = vec![(main, 0)];
    while let Some((unit, next)) = open.last_mut() {
        match units[*unit].imports.get(*next) {
            Some(import) => {
                *next += 1;
                if begun.insert(*import) {
                    open.push((*import, 0));
                }
            }
            None => {
                order.push(*unit);
                open.pop();
            }
        }
    }
    order
}

/// What a unit defines. Functions may be overloaded, so their names may come
/// twice.
fn definitions(tree: &SyntaxTree, text: &str) -> Vec<String> {
    let named = tree
        .children(0)
        .filter(|id| tree.kind(*id) != "function_definition");
    let names = named.filter_map(|id| {
        let name = tree
            .children(id)
            .find(|id| tree.field(*id) == Some("name"))?;
        Some(text[tree.node(name).range.clone()].to_string())
    });
    names.collect()
}

fn write_unit(unit: &Unit, tree: &SyntaxTree, pragmas: &mut BTreeSet<String>, text: &mut String) {
    let slice = |id: NodeId| &unit.text[tree.node(id).range.clone()];
    let mut aliases: BTreeMap<&str, &str> = BTreeMap::new();
    let mut spaces: BTreeSet<&str> = BTreeSet::new();
    let mut cuts: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    for id in tree.children(0) {
        match tree.kind(id) {
            "import_directive" => {
                cuts.push((tree.node(id).range.clone(), String::new()));
                let mut last = None;
                for part in tree.children(id) {
                    match (tree.field(part), last) {
                        (Some("import_name"), _) => last = Some(slice(part)),
                        (Some("alias"), Some(name)) => {
                            aliases.insert(slice(part), name);
                        }
                        (Some("alias"), None) => {
                            spaces.insert(slice(part));
                        }
                        _ => {}
                    }
                }
            }
            // A version is asked for as often as one likes, a feature once.
            "pragma_directive" => {
                let words: Vec<&str> = slice(id).split_whitespace().collect();
                if words.get(1) != Some(&"solidity") && !pragmas.insert(words.join(" ")) {
                    cuts.push((tree.node(id).range.clone(), String::new()));
                }
            }
            _ => {}
        }
    }
    cuts.extend(renamed(unit, tree, &aliases, &spaces));
    cuts.sort_by_key(|(range, _)| range.start);
    let mut done = 0;
    let start = text.len();
    for (range, by) in cuts {
        if range.start < done {
            continue;
        }
        text.push_str(&unit.text[done..range.start]);
        text.push_str(&by);
        done = range.end;
    }
    text.push_str(&unit.text[done..]);
    text.push('\n');
    // Two licences of one file are an error.
    let plain = text[start..].replace("SPDX-License-Identifier", "Licence");
    text.truncate(start);
    text.push_str(&plain);
}

/// Names that imports have changed, changed back.
fn renamed(
    unit: &Unit,
    tree: &SyntaxTree,
    aliases: &BTreeMap<&str, &str>,
    spaces: &BTreeSet<&str>,
) -> Vec<(std::ops::Range<usize>, String)> {
    let mut changes = Vec::new();
    for (id, node) in tree.nodes().iter().enumerate() {
        if node.end != id + 1 || tree.kind(id) != "identifier" || tree.field(id) == Some("property")
        {
            continue;
        }
        let name = &unit.text[node.range.clone()];
        if let Some(original) = aliases.get(name) {
            changes.push((node.range.clone(), original.to_string()));
        }
        let rest = &unit.text[node.range.end..];
        if spaces.contains(name) && rest.starts_with('.') {
            changes.push((node.range.start..node.range.end + 1, String::new()));
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(name: &str, text: &str, imports: &[usize]) -> Unit {
        Unit {
            name: name.to_string(),
            text: text.to_string(),
            imports: imports.to_vec(),
        }
    }

    fn joined(units: &[Unit]) -> Result<String, String> {
        let text = flatten(units, 0).map_err(|error| error.to_string())?;
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn what_is_imported_comes_first_and_once_and_under_its_own_name() {
        let units = [
            unit(
                "a.sol",
                "pragma solidity ^0.8.0; // SPDX-License-Identifier: MIT\nimport {B as X} from \"./b.sol\"; import * as C from './c.sol';\ncontract A is X, C.D { X x; C.D d; function f() public { x.X(); } }",
                &[1, 2],
            ),
            unit(
                "b.sol",
                "pragma abicoder v2; import './c.sol'; contract B {}",
                &[2],
            ),
            unit(
                "c.sol",
                "pragma abicoder v2; import './b.sol'; contract D {}",
                &[1],
            ),
        ];
        assert_eq!(imports(&units[0].text).unwrap(), ["./b.sol", "./c.sol"]);
        assert_eq!(
            joined(&units).unwrap(),
            "pragma abicoder v2; contract D {} contract B {} pragma solidity ^0.8.0; // Licence: MIT contract A is B, D { B x; D d; function f() public { x.X(); } }"
        );
    }

    #[test]
    fn what_cannot_be_joined_is_said() {
        let twice = [
            unit("a.sol", "import 'b.sol'; contract A {}", &[1]),
            unit("b.sol", "struct A { uint8 a; }", &[]),
        ];
        assert_eq!(
            joined(&twice).unwrap_err(),
            "b.sol and a.sol both define `A`"
        );
        let broken = [unit("a.sol", "contract A {\n function }", &[])];
        assert_eq!(
            joined(&broken).unwrap_err(),
            "a.sol: line 2 is not Solidity"
        );
    }
}
