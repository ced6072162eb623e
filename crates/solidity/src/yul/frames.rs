//! Routines that hold many values at once. The stack of the EVM lets sixteen be reached, so an
//! optimizer moves the others into memory, where those of routines that call each other must not
//! meet.

use std::ops::Range;

use dashu_int::UBig;
use lydite_core::Reject;

use super::draw::{Drawer, Kind, NESTING};
use super::opcodes::Opcode;
use super::{Address, Line, Slot, Term, WORD};

/// What a routine's result is multiplied with before the next value is added.
const FACTOR: u8 = 3;

/// Calls that are made for sure while a routine holds values, at most.
const CALLS: u64 = 2;

/// Calls at the end of an entry, at most.
const LAST: u64 = 4;

impl Drawer<'_> {
    /// The values that a routine has before all else, or none. Nothing else sees their variables.
    pub(super) fn frame(&mut self) -> Result<Vec<(u32, Line)>, Reject> {
        let most = u64::from(self.limits.frames);
        if most == 0 || self.recursion.is_none() && self.choices.chance(1, 2)? {
            return Ok(Vec::new());
        }
        let mut loaded = Vec::new();
        for _ in 0..self.choices.between(most.div_ceil(2), most)? {
            // Different ones, none of which can be computed again once memory has changed.
            let at = Address::At(loaded.len() as u64);
            let value = Term::Hash(at, WORD);
            let name = self.next;
            self.next += 1;
            loaded.push((name, Line::Let(vec![name], Some(value))));
        }
        Ok(loaded)
    }

    /// Of routines that call each other one holds values, or none: an optimizer moves nothing if
    /// it sees that one of them has too many.
    pub(super) fn holder(
        &mut self,
        group: &Range<usize>,
        is_recursive: bool,
    ) -> Result<Option<usize>, Reject> {
        if self.limits.frames == 0 || !is_recursive {
            return Ok(None);
        }
        let at = self.choices.index(group.len() + 1)?;
        Ok(Some(group.start + at))
    }

    /// Calls while there are values, of the routine's group if it has one.
    pub(super) fn calls_while(&mut self, held: &[u32]) -> Result<Vec<Line>, Reject> {
        let mut lines = Vec::new();
        let calls_group = self.limits.group > 2 && self.recursion.is_some();
        if held.is_empty() && !calls_group {
            return Ok(lines);
        }
        if calls_group && self.allows(Kind::Call, NESTING) && self.choices.chance(1, 2)? {
            lines.push(self.line_of(Kind::Call, NESTING)?);
        }
        for _ in 0..self.choices.between(1, CALLS)? {
            let kinds = [Kind::Recurse, Kind::Call];
            let possible = kinds.into_iter().find(|kind| self.allows(*kind, NESTING));
            if let Some(kind) = possible {
                lines.push(self.line_of(kind, NESTING)?);
            }
        }
        Ok(lines)
    }

    /// Calls at the end of an entry, so that routines with many values run one after the other.
    pub(super) fn calls_last(&mut self) -> Result<Vec<Line>, Reject> {
        let mut lines = Vec::new();
        if self.limits.frames == 0 {
            return Ok(lines);
        }
        for _ in 0..self.choices.between(1, LAST)? {
            if self.allows(Kind::Call, NESTING) {
                lines.push(self.line_of(Kind::Call, NESTING)?);
            }
        }
        Ok(lines)
    }

    /// Lines that read these variables, each once, into a variable or a slot.
    pub(super) fn folded(&mut self, names: &[u32]) -> Result<Vec<Line>, Reject> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let target = match self.has_target() {
            true => Some(self.target()?),
            false => None,
        };
        let slot = self.choices.below(super::SLOTS)?;
        let so_far = target.map_or(Term::Storage(Slot::At(slot)), Term::Local);
        let lines = names.iter().map(|&name| {
            let factor = Term::Number(UBig::from(FACTOR));
            let product = Term::Opcode(Opcode::Mul, vec![so_far.clone(), factor]);
            let sum = Term::Opcode(Opcode::Add, vec![product, Term::Local(name)]);
            match target {
                Some(target) => Line::Assign(vec![target], sum),
                None => Line::Storage(Slot::At(slot), sum),
            }
        });
        Ok(lines.collect())
    }
}
