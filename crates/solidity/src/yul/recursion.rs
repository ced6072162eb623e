//! Routines that call themselves and each other: their first parameter counts down.

use dashu_int::UBig;
use lydite_core::Reject;

use super::draw::Drawer;
use super::opcodes::Opcode;
use super::{Line, Term};

/// A counter of recursion is cut to these bits, so that it ends soon.
pub(super) const SHORT: u64 = 3;

/// Where more than two routines call each other, to these: else none of them is entered again.
pub(super) const LONG: u64 = 7;

/// How often a routine calls one of its group, at most.
pub(super) const RECURSIONS: u32 = 2;

/// A routine that is being drawn, and may call those of its group.
#[derive(Clone, Debug)]
pub(super) struct Recursion {
    pub(super) counter: u32,
    pub(super) own: usize,
    pub(super) group: std::ops::Range<usize>,
    /// How many such calls may still be drawn.
    pub(super) left: u32,
}

impl Drawer<'_> {
    /// What a routine may call of its group: with more than two, not itself.
    pub(super) fn twins(&self, recursion: &Recursion) -> impl Iterator<Item = usize> {
        let own = recursion.own;
        let others = self.limits.group > 2 && recursion.group.len() > 1;
        let group = recursion.group.clone();
        group
            .filter(move |&twin| !(others && twin == own) && self.has_targets(&self.routines[twin]))
    }

    /// A call of a routine of the same group, with a counter that is one less.
    pub(super) fn recurse(&mut self) -> Result<Line, Reject> {
        let Some(recursion) = &mut self.recursion else {
            return Err(Reject::NotApplicable("no recursion"));
        };
        recursion.left -= 1;
        let recursion = recursion.clone();
        let counter = recursion.counter;
        let fitting: Vec<usize> = self.twins(&recursion).collect();
        let twin = *self.choices.pick(&fitting)?;
        let one = Term::Number(UBig::ONE);
        let mut arguments = vec![Term::Opcode(Opcode::Sub, vec![Term::Local(counter), one])];
        for _ in 1..self.routines[twin].parameters.len() {
            arguments.push(self.term(self.limits.depth.saturating_sub(1))?);
        }
        self.call_line(twin, Term::Call(twin, arguments))
    }
}

/// The first lines of a routine that counts down.
pub(super) fn count_down(counter: u32, rounds: u64) -> Vec<Line> {
    let cut = vec![Term::Local(counter), Term::Number(UBig::from(rounds))];
    let is_zero = Term::Opcode(Opcode::IsZero, vec![Term::Local(counter)]);
    vec![
        Line::Assign(vec![counter], Term::Opcode(Opcode::And, cut)),
        Line::If(is_zero, vec![Line::Leave]),
    ]
}
