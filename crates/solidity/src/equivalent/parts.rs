//! Parts of variables that are live as variables are: members of structs, the
//! first elements of arrays of a fixed length, and lengths.
//!
//! A part is told apart from every other of the same point: state variables do
//! not overlap, and of variables in memory a point has the parts of one alone
//! ([`super::outline`]). Whoever changes one part changes no other name.

use std::collections::BTreeMap;

use lydite_syntax::NodeId;

use super::outline::{Reader, elementary};
use crate::types::Elementary;

/// So many elements of an array are parts.
const ELEMENTS: u64 = 2;

/// A part of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// What stands behind the variable's name.
    pub(super) suffix: String,
    pub(super) kind: Elementary,
    pub(super) writable: bool,
}

/// The members of structs that are of elementary value types; nothing for names
/// that mean several structs.
#[derive(Debug, Default)]
pub(super) struct Structs(BTreeMap<String, Vec<(String, Elementary)>>);

impl Reader<'_> {
    pub(super) fn read_structs(&self) -> Structs {
        let mut structs = BTreeMap::new();
        let is_struct = |id: &NodeId| self.tree.kind(*id) == "struct_declaration";
        for id in (0..self.tree.nodes().len()).filter(is_struct) {
            let Some(name) = self.child_of(id, "name") else {
                continue;
            };
            let body = self.child_of(id, "body").into_iter();
            let members =
                body.flat_map(|body| self.kinds(body, "struct_member").collect::<Vec<_>>());
            let members = members.filter_map(|member| {
                let kind = elementary(&self.words(self.child_of(member, "type")?))?;
                Some((self.words(self.child_of(member, "name")?), kind))
            });
            let members: Vec<_> = members.collect();
            structs
                .entry(self.words(name))
                .and_modify(Vec::clear)
                .or_insert(members);
        }
        Structs(structs)
    }

    /// The parts of a variable of a type.
    pub(super) fn parts(&self, of: NodeId) -> Vec<Part> {
        let name = self.words(of);
        let length = || Part {
            suffix: ".length".to_string(),
            kind: Elementary::UINT256,
            writable: false,
        };
        if name == "bytes" {
            return vec![length()];
        }
        let element = name
            .strip_suffix(']')
            .and_then(|name| name.rsplit_once('['));
        let Some((element, count)) = element else {
            let path = name
                .rsplit_once('.')
                .map_or(name.as_str(), |(_, last)| last);
            let members = self.structs.0.get(path).into_iter().flatten();
            let part = |(member, kind): &(String, Elementary)| Part {
                suffix: format!(".{member}"),
                kind: *kind,
                writable: true,
            };
            return members.map(part).collect();
        };
        if count.is_empty() {
            return vec![length()];
        }
        let (Some(kind), Ok(count)) = (elementary(element.trim()), count.trim().parse::<u64>())
        else {
            return Vec::new();
        };
        let element = |at: u64| Part {
            suffix: format!("[{at}]"),
            kind,
            writable: true,
        };
        (0..count.min(ELEMENTS)).map(element).collect()
    }
}
