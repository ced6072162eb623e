//! Probes: code that shows the values of live variables, and changes nothing.
//!
//! SOLTIX lets contracts emit events. Functions that promise not to change the
//! state cannot, nor can libraries and free functions of older versions; and
//! an event more is behaviour. A probe writes to the scratch space of memory
//! instead, which every function may, and whoever runs the code sees it there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use dashu_int::IBig;

use super::outline::{Held, Loop, Outline, Point};
use crate::interpret::{bits, wrapped};
use crate::types::{Elementary, Family};

/// What the word of a probe begins with: "lydite's probe:\n".
pub const PREFIX: u128 = u128::from_be_bytes(*b"lydite's probe:\n");

/// Distinct environments of a point beyond this are not kept.
const ENVIRONMENTS: usize = 100;

/// A probe before a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Where the statement begins in the original text.
    pub offset: usize,
    /// The variables that it shows.
    pub variables: Vec<(String, Elementary)>,
}

/// All probes of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// The text with the probes in it.
    pub text: String,
    /// The probes, by number.
    pub probes: Vec<Probe>,
    /// Statements without one, by where they begin.
    pub unprobed: Vec<usize>,
    /// Where pieces of the original stand in `text`: there and here.
    pieces: Vec<(usize, usize)>,
}

/// What the probe of a point has shown so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) environments: BTreeSet<Vec<IBig>>,
    /// Not everything that was there is known.
    pub(super) incomplete: bool,
}

/// The text with a probe before each statement. In a function that `most`
/// names (by where it begins), a probe shows only so many variables, the
/// innermost; where it says nothing, there is no probe.
pub fn instrument(text: &str, outline: &Outline, most: &BTreeMap<usize, Option<usize>>) -> Probes {
    let mut probes = Probes::default();
    let mut done = 0;
    for point in &outline.points {
        let most = most.get(&point.function).copied();
        let Some(most) = most.unwrap_or(Some(usize::MAX)) else {
            probes.unprobed.push(point.offset);
            continue;
        };
        probes.text.push_str(&text[done..point.offset]);
        done = point.offset;
        let skipped = point.variables.len().saturating_sub(most);
        write_probe(probes.probes.len(), point, skipped, &mut probes.text);
        probes.pieces.push((probes.text.len(), point.offset));
        let shown = point.variables[skipped..].iter();
        probes.probes.push(Probe {
            offset: point.offset,
            variables: shown.map(|one| (one.name.clone(), one.kind)).collect(),
        });
    }
    probes.text.push_str(&text[done..]);
    probes
}

fn write_probe(number: usize, point: &Point, skipped: usize, text: &mut String) {
    let id = |slot: usize| format!("0x{PREFIX:032x}{number:016x}{slot:016x}");
    let _ = write!(text, "assembly {{ mstore(32, {})", id(0));
    let variables = point.variables[skipped..].iter().enumerate();
    for (slot, variable) in variables.clone().filter(|(_, one)| one.held == Held::Stack) {
        let _ = write!(
            text,
            " mstore(0, {}) mstore(32, {})",
            variable.name,
            id(slot + 1)
        );
    }
    text.push_str(" } ");
    for (slot, variable) in variables.filter(|(_, one)| one.held != Held::Stack) {
        let _ = write!(
            text,
            "{{ {} lydite_{number}_{slot} = {}; assembly {{ mstore(0, lydite_{number}_{slot}) mstore(32, {}) }} }} ",
            variable.kind.name(),
            variable.name,
            id(slot + 1),
        );
    }
}

impl Probes {
    /// The place in the original text of a place in the text with probes.
    pub fn origin(&self, offset: usize) -> usize {
        let behind = self.pieces.partition_point(|(there, _)| *there <= offset);
        match behind.checked_sub(1) {
            Some(at) => {
                let (there, here) = self.pieces[at];
                let next = self
                    .pieces
                    .get(behind)
                    .map_or(usize::MAX, |(_, here)| *here);
                (here + (offset - there)).min(next)
            }
            None => offset.min(self.probes.first().map_or(offset, |probe| probe.offset)),
        }
    }

    /// Adds what a transaction has shown to what is known of each probe.
    pub(super) fn read(&self, marks: impl Iterator<Item = (u128, [u8; 32])>, shown: &mut [Shown]) {
        let mut open: Option<(usize, BTreeMap<usize, IBig>)> = None;
        for (id, word) in marks {
            let (number, slot) = ((id >> 64) as usize, id as u64 as usize);
            let Some(probe) = self.probes.get(number) else {
                continue;
            };
            if slot == 0 {
                self.close(open.replace((number, BTreeMap::new())), shown);
                continue;
            }
            let Some((_, values)) = open.as_mut().filter(|(at, _)| *at == number) else {
                shown[number].incomplete = true;
                continue;
            };
            if let Some((_, kind)) = probe.variables.get(slot - 1) {
                values.insert(slot - 1, value_of(*kind, word));
            }
        }
        self.close(open, shown);
    }

    fn close(&self, open: Option<(usize, BTreeMap<usize, IBig>)>, shown: &mut [Shown]) {
        let Some((number, values)) = open else {
            return;
        };
        let shown = &mut shown[number];
        let whole = values.len() == self.probes[number].variables.len();
        shown.incomplete |= !whole || shown.environments.len() > ENVIRONMENTS;
        if !shown.incomplete {
            shown.environments.insert(values.into_values().collect());
        }
    }
}

/// The value of a variable from the word that holds it: bits beyond the type
/// mean nothing.
fn value_of(kind: Elementary, word: [u8; 32]) -> IBig {
    let number = |bytes: &[u8]| {
        let mut number = IBig::ZERO;
        for byte in bytes {
            number = (number << 8) + IBig::from(*byte);
        }
        number
    };
    match kind.family() {
        Family::FixedBytes => number(&word[..bits(kind) / 8]),
        Family::Bool => IBig::from(u8::from(word[31] != 0)),
        _ => wrapped(kind, &number(&word[32 - bits(kind) / 8..])),
    }
}

/// The text with a limit in each loop that has a block: SOLTIX's
/// `if (++counter > 2) break;`.
pub fn limit_loops(text: &str, outline: &Outline, limit: u32) -> String {
    let mut edits: Vec<(usize, String)> = Vec::new();
    for (number, Loop { offset, body, end }) in outline.loops.iter().enumerate() {
        edits.push((*offset, format!("{{ uint256 lydite_loop{number} = 0; ")));
        edits.push((
            *body,
            format!(" if (++lydite_loop{number} > {limit}) break;"),
        ));
        edits.push((*end, " }".to_string()));
    }
    edits.sort_by_key(|(offset, _)| *offset);
    let mut limited = String::with_capacity(text.len() + edits.len() * 40);
    let mut done = 0;
    for (offset, edit) in edits {
        limited.push_str(&text[done..offset]);
        limited.push_str(&edit);
        done = offset;
    }
    limited.push_str(&text[done..]);
    limited
}
