//! Drawing blocks.

use dashu_int::UBig;
use lydite_core::{Choices, Reject};

use super::opcodes::{Opcode, most};
use super::recursion::{LONG, RECURSIONS, Recursion, SHORT, count_down};
use super::{Address, Ending, Entry, Line, MEMORY, Routine, SLOTS, Slot, Term, WORD};

/// What blocks are drawn of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// Statements of a block.
    pub(super) statements: u32,
    /// How deep values are nested.
    pub(super) depth: u32,
    /// Local variables that can be seen at once, besides parameters and results.
    pub(super) locals: u32,
    /// Values that a routine holds from its beginning to its end.
    pub(super) frames: u32,
    /// Routines that call each other.
    pub(super) group: u32,
    /// A transaction may return any number of bytes.
    pub(super) returns_any: bool,
    pub(super) has_transient: bool,
    pub(super) has_memory_safe: bool,
}

/// Parameters and results of entries and routines, routines of an entry: the
/// stack of the EVM is small.
const PARAMETERS: u64 = 2;
const RESULTS: u64 = 2;
const ROUTINES: u64 = 3;

/// Words that pointers point to, and how many words behind these are named.
const POINTED: u64 = 4;
const BEHIND: u64 = 3;

/// Rounds of a loop.
const ROUNDS: u64 = 4;

/// How deep blocks are nested.
pub(super) const NESTING: u32 = 2;

/// What a statement can be, and how often it is.
const LINES: [(Kind, u64); 18] = [
    (Kind::Assign, 8),
    (Kind::Let, 5),
    (Kind::Point, 4),
    (Kind::Memory, 6),
    (Kind::Byte, 2),
    (Kind::Storage, 6),
    (Kind::Transient, 2),
    (Kind::Call, 3),
    (Kind::Recurse, 6),
    (Kind::Drop, 1),
    (Kind::If, 4),
    (Kind::Switch, 2),
    (Kind::For, 4),
    (Kind::Block, 1),
    (Kind::Break, 2),
    (Kind::Continue, 1),
    (Kind::Leave, 1),
    (Kind::End, 1),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Assign,
    Let,
    /// A pointer is made, or points elsewhere.
    Point,
    Memory,
    Byte,
    Storage,
    Transient,
    /// Of a function, whose results are assigned.
    Call,
    /// Of the function itself, or of its twin.
    Recurse,
    Drop,
    If,
    Switch,
    For,
    Block,
    Break,
    Continue,
    Leave,
    End,
}

/// Draws one entry.
pub(super) struct Drawer<'a> {
    pub(super) choices: &'a mut Choices,
    pub(super) limits: Limits,
    /// The number of the next variable.
    pub(super) next: u32,
    /// Variables that can be seen, and whether they may be assigned.
    scope: Vec<(u32, bool)>,
    /// Pointers that can be seen.
    pointers: Vec<u32>,
    pub(super) routines: Vec<Routine>,
    /// How many of them are whole, and can be called.
    whole: usize,
    pub(super) recursion: Option<Recursion>,
    in_loop: bool,
    in_routine: bool,
}

impl<'a> Drawer<'a> {
    /// Draws a function of the contract.
    pub(super) fn entry(choices: &'a mut Choices, limits: Limits) -> Result<Entry, Reject> {
        let mut drawer = Drawer {
            choices,
            limits,
            next: 0,
            scope: Vec::new(),
            pointers: Vec::new(),
            routines: Vec::new(),
            whole: 0,
            recursion: None,
            in_loop: false,
            in_routine: false,
        };
        let least = if limits.group > 2 { 2 } else { 0 };
        for _ in 0..drawer.choices.between(least, ROUTINES)? {
            drawer.draw_routines()?;
        }
        let parameters = drawer.fresh(PARAMETERS, true);
        let results = drawer.fresh(RESULTS, true);
        let mut body = drawer.filled_memory(&parameters)?;
        body.extend(drawer.lines(NESTING)?);
        body.extend(drawer.calls_last()?);
        let is_safe = limits.has_memory_safe && drawer.choices.chance(3, 4)?;
        Ok(Entry {
            parameters,
            results,
            routines: drawer.routines,
            body,
            is_safe,
        })
    }

    /// Memory is as somebody left it: every word gets a value.
    fn filled_memory(&mut self, parameters: &[u32]) -> Result<Vec<Line>, Reject> {
        let mut lines = Vec::new();
        for at in (0..MEMORY).step_by(WORD as usize) {
            let value = match self.choices.below(4)? {
                3 => Term::Local(*self.choices.pick(parameters)?),
                2 => Term::Number(self.number()?),
                _ => Term::Number(UBig::ZERO),
            };
            lines.push(Line::Memory(Address::At(at), value));
        }
        Ok(lines)
    }

    /// Draws a routine, one that calls itself, or some that call each other.
    fn draw_routines(&mut self) -> Result<(), Reject> {
        let (count, is_recursive) = match self.choices.below(4)? {
            1.. if self.limits.group > 2 => {
                let count = self.choices.between(2, u64::from(self.limits.group))?;
                (count as usize, true)
            }
            3 => (2, true),
            2 => (1, true),
            _ => (1, false),
        };
        let group = self.whole..self.whole + count;
        for _ in group.clone() {
            let parameters = self.choices.below(PARAMETERS + 1)? + u64::from(is_recursive);
            let results = self.choices.below(RESULTS + 1)?;
            let routine = Routine {
                parameters: self.fresh(parameters, true),
                results: self.fresh(results, true),
                body: Vec::new(),
            };
            self.routines.push(routine);
        }
        let holder = self.holder(&group, is_recursive)?;
        for at in group.clone() {
            let recursive = is_recursive.then(|| group.clone());
            let body = self.routine_body(at, recursive, holder.is_none_or(|it| it == at))?;
            self.routines[at].body = body;
        }
        self.whole = group.end;
        Ok(())
    }

    fn routine_body(
        &mut self,
        at: usize,
        group: Option<std::ops::Range<usize>>,
        may_hold: bool,
    ) -> Result<Vec<Line>, Reject> {
        let Routine {
            parameters,
            results,
            ..
        } = self.routines[at].clone();
        let counter = group.as_ref().map(|_| parameters[0]);
        let own = parameters.iter().chain(&results);
        self.scope = own.map(|name| (*name, Some(*name) != counter)).collect();
        self.in_routine = true;
        self.recursion = counter.zip(group).map(|(counter, group)| Recursion {
            counter,
            own: at,
            group,
            left: RECURSIONS,
        });
        let rounds = if self.limits.group > 2 { LONG } else { SHORT };
        let mut body = counter.map_or(Vec::new(), |counter| count_down(counter, rounds));
        let frame = if may_hold { self.frame()? } else { Vec::new() };
        let (held, loads): (Vec<u32>, Vec<Line>) = frame.into_iter().unzip();
        body.extend(loads);
        body.extend(self.lines(NESTING)?);
        body.extend(self.calls_while(&held)?);
        body.extend(self.folded(&held)?);
        self.recursion = None;
        self.in_routine = false;
        self.scope.clear();
        Ok(body)
    }

    /// New variables.
    fn fresh(&mut self, count: u64, assignable: bool) -> Vec<u32> {
        let first = self.next;
        self.next += count as u32;
        let names: Vec<u32> = (first..self.next).collect();
        self.scope
            .extend(names.iter().map(|name| (*name, assignable)));
        names
    }

    /// The statements of a block; what it declares ends with it.
    fn lines(&mut self, nesting: u32) -> Result<Vec<Line>, Reject> {
        let outer = (self.scope.len(), self.pointers.len());
        let most = match nesting == NESTING {
            true => u64::from(self.limits.statements),
            false => u64::from(self.limits.statements).min(3),
        };
        let mut lines = Vec::new();
        for _ in 0..self.choices.between(1, most)? {
            let line = self.line(nesting)?;
            let ends = matches!(
                line,
                Line::Break | Line::Continue | Line::Leave | Line::End(_)
            );
            lines.push(line);
            // Nothing behind it would be reached.
            if ends {
                break;
            }
        }
        self.scope.truncate(outer.0);
        self.pointers.truncate(outer.1);
        Ok(lines)
    }

    pub(super) fn allows(&self, kind: Kind, nesting: u32) -> bool {
        match kind {
            Kind::Let => self.has_room(),
            Kind::Point => self.has_room() || !self.pointers.is_empty(),
            Kind::For => nesting > 0 && self.has_room(),
            Kind::Transient => self.limits.has_transient,
            Kind::Call => self
                .callable(|routine| self.has_targets(routine))
                .next()
                .is_some(),
            // A loop would multiply it.
            Kind::Recurse => {
                let recursion = self.recursion.as_ref().filter(|it| it.left > 0);
                !self.in_loop && recursion.is_some_and(|it| self.twins(it).next().is_some())
            }
            Kind::If | Kind::Switch | Kind::Block => nesting > 0,
            Kind::Break | Kind::Continue => self.in_loop && nesting < NESTING,
            Kind::Leave => self.in_routine && nesting < NESTING,
            Kind::End => nesting < NESTING,
            Kind::Assign => self.has_target(),
            Kind::Memory | Kind::Byte | Kind::Storage | Kind::Drop => true,
        }
    }

    /// True if there may be one more local variable.
    fn has_room(&self) -> bool {
        let words = self.scope.len();
        let locals = words.saturating_sub((PARAMETERS + RESULTS) as usize) + self.pointers.len();
        locals < self.limits.locals as usize
    }

    pub(super) fn has_targets(&self, routine: &Routine) -> bool {
        let assignable = self.scope.iter().filter(|(_, assignable)| *assignable);
        assignable.count() >= routine.results.len()
    }

    fn callable(&self, will_do: impl Fn(&Routine) -> bool) -> impl Iterator<Item = usize> {
        let routines = self.routines[..self.whole].iter().enumerate();
        routines.filter_map(move |(at, routine)| will_do(routine).then_some(at))
    }

    fn line(&mut self, nesting: u32) -> Result<Line, Reject> {
        let weights = LINES.map(|(kind, weight)| match self.allows(kind, nesting) {
            true => weight,
            false => 0,
        });
        let (kind, _) = LINES[self.choices.weighted(&weights)?];
        self.line_of(kind, nesting)
    }

    pub(super) fn line_of(&mut self, kind: Kind, nesting: u32) -> Result<Line, Reject> {
        Ok(match kind {
            Kind::Assign => {
                let name = self.target()?;
                Line::Assign(vec![name], self.value()?)
            }
            Kind::Let => {
                let value = match self.choices.chance(5, 6)? {
                    true => Some(self.value()?),
                    false => None,
                };
                Line::Let(self.fresh(1, true), value)
            }
            Kind::Point => self.point()?,
            Kind::Memory => Line::Memory(self.address(WORD)?, self.value()?),
            Kind::Byte => Line::Byte(self.address(1)?, self.value()?),
            Kind::Storage => Line::Storage(self.slot()?, self.value()?),
            Kind::Transient => Line::Transient(self.slot()?, self.value()?),
            Kind::Call => {
                let fitting: Vec<usize> =
                    self.callable(|routine| self.has_targets(routine)).collect();
                let routine = *self.choices.pick(&fitting)?;
                let call = self.call(routine, self.limits.depth)?;
                self.call_line(routine, call)?
            }
            Kind::Recurse => self.recurse()?,
            Kind::Drop => Line::Drop(self.opcode(self.limits.depth)?),
            Kind::If => {
                let condition = self.value()?;
                Line::If(condition, self.lines(nesting - 1)?)
            }
            Kind::Switch => self.switch(nesting - 1)?,
            Kind::For => {
                let times = self.choices.between(1, ROUNDS)?;
                let counter = self.fresh(1, false)[0];
                let outer = std::mem::replace(&mut self.in_loop, true);
                let body = self.lines(nesting - 1);
                self.in_loop = outer;
                self.scope.pop();
                Line::For(counter, times, body?)
            }
            Kind::Block => Line::Block(self.lines(nesting - 1)?),
            Kind::Break => Line::Break,
            Kind::Continue => Line::Continue,
            Kind::Leave => Line::Leave,
            Kind::End => Line::End(self.ending()?),
        })
    }

    /// How a transaction ends early; a function of Solidity returns as many
    /// words as it has results.
    fn ending(&mut self) -> Result<Ending, Reject> {
        let kinds = 2 + u64::from(self.limits.returns_any);
        Ok(match self.choices.below(kinds)? {
            0 => {
                let length = WORD * self.choices.below(2)?;
                Ending::Revert(self.span(length)?, length)
            }
            1 => {
                let words = match self.limits.returns_any {
                    true => self.choices.below(RESULTS + 1)?,
                    false => RESULTS,
                };
                Ending::Return(self.span(WORD * words)?, WORD * words)
            }
            _ => Ending::Stop,
        })
    }

    /// An address that so many bytes are at, if need be more than a word.
    fn span(&mut self, bytes: u64) -> Result<Address, Reject> {
        if bytes <= WORD {
            return self.address(WORD);
        }
        match !self.pointers.is_empty() && self.choices.chance(1, 2)? {
            true => Ok(Address::From(*self.choices.pick(&self.pointers)?, 0)),
            false => Ok(Address::At(self.choices.below(MEMORY - bytes + 1)?)),
        }
    }

    fn point(&mut self) -> Result<Line, Reject> {
        let to = match !self.pointers.is_empty() && self.choices.chance(1, 4)? {
            true => Address::From(*self.choices.pick(&self.pointers)?, 0),
            false => Address::At(WORD * self.choices.below(POINTED)?),
        };
        let is_new = self.has_room() && (self.pointers.is_empty() || self.choices.chance(1, 2)?);
        let pointer = match is_new {
            true => {
                self.next += 1;
                self.pointers.push(self.next - 1);
                self.next - 1
            }
            false => *self.choices.pick(&self.pointers)?,
        };
        Ok(Line::Point {
            pointer,
            is_new,
            to,
        })
    }

    pub(super) fn has_target(&self) -> bool {
        self.scope.iter().any(|(_, assignable)| *assignable)
    }

    pub(super) fn target(&mut self) -> Result<u32, Reject> {
        let assignable = self.scope.iter().filter(|(_, assignable)| *assignable);
        let names: Vec<u32> = assignable.map(|(name, _)| *name).collect();
        Ok(*self.choices.pick(&names)?)
    }

    /// A call whose results go to variables, each to one of its own.
    pub(super) fn call_line(&mut self, routine: usize, call: Term) -> Result<Line, Reject> {
        let mut targets = Vec::new();
        let assignable = self.scope.iter().filter(|(_, assignable)| *assignable);
        let mut names: Vec<u32> = assignable.map(|(name, _)| *name).collect();
        for _ in 0..self.routines[routine].results.len() {
            targets.push(names.swap_remove(self.choices.index(names.len())?));
        }
        Ok(match targets.is_empty() {
            true => Line::Drop(call),
            false => Line::Assign(targets, call),
        })
    }

    fn call(&mut self, routine: usize, depth: u32) -> Result<Term, Reject> {
        let count = self.routines[routine].parameters.len();
        let mut arguments = Vec::new();
        for _ in 0..count {
            arguments.push(self.term(depth.saturating_sub(1))?);
        }
        Ok(Term::Call(routine, arguments))
    }

    fn switch(&mut self, nesting: u32) -> Result<Line, Reject> {
        let value = self.value()?;
        let mut cases = Vec::new();
        for case in 0..self.choices.between(1, 3)? {
            cases.push((case, self.lines(nesting)?));
        }
        let default = match self.choices.chance(2, 3)? {
            true => Some(self.lines(nesting)?),
            false => None,
        };
        // Few words are as small as the cases.
        let value = Term::Opcode(Opcode::And, vec![value, Term::Number(UBig::from(3u8))]);
        Ok(Line::Switch(value, cases, default))
    }

    fn value(&mut self) -> Result<Term, Reject> {
        self.term(self.limits.depth)
    }

    pub(super) fn term(&mut self, depth: u32) -> Result<Term, Reject> {
        if depth == 0 || self.choices.chance(1, 5)? {
            return self.leaf();
        }
        let single: Vec<usize> = self
            .callable(|routine| routine.results.len() == 1)
            .collect();
        let transient = u64::from(self.limits.has_transient);
        let weights = [10, 4, 1, 4, transient, 2 * u64::from(!single.is_empty())];
        Ok(match self.choices.weighted(&weights)? {
            0 => self.opcode(depth)?,
            1 => Term::Memory(self.address_below(WORD, depth)?),
            2 => {
                let length = self.choices.between(1, WORD)?;
                Term::Hash(self.address_below(length, depth)?, length)
            }
            3 => Term::Storage(self.slot_below(depth)?),
            4 => Term::Transient(self.slot_below(depth)?),
            _ => {
                let routine = *self.choices.pick(&single)?;
                self.call(routine, depth)?
            }
        })
    }

    fn opcode(&mut self, depth: u32) -> Result<Term, Reject> {
        let weights = Opcode::WEIGHTS.map(|(_, weight)| weight);
        let (opcode, _) = Opcode::WEIGHTS[self.choices.weighted(&weights)?];
        let mut operands = Vec::new();
        for _ in 0..opcode.row().1 {
            operands.push(self.term(depth.saturating_sub(1))?);
        }
        Ok(Term::Opcode(opcode, operands))
    }

    fn leaf(&mut self) -> Result<Term, Reject> {
        match self.scope.is_empty() || self.choices.chance(1, 3)? {
            true => Ok(Term::Number(self.number()?)),
            false => Ok(Term::Local(self.choices.pick(&self.scope)?.0)),
        }
    }

    /// A word: often a small one, or one at an end of a range.
    pub(super) fn number(&mut self) -> Result<UBig, Reject> {
        draw_word(self.choices)
    }

    fn address(&mut self, bytes: u64) -> Result<Address, Reject> {
        self.address_below(bytes, self.limits.depth)
    }

    /// An address that so many bytes are at.
    fn address_below(&mut self, bytes: u64, depth: u32) -> Result<Address, Reject> {
        if depth > 0 && self.choices.chance(1, 4)? {
            return Ok(Address::Of(Box::new(self.term(depth - 1)?)));
        }
        if !self.pointers.is_empty() && self.choices.chance(1, 2)? {
            let pointer = *self.choices.pick(&self.pointers)?;
            let offset = WORD * self.choices.below(BEHIND)?;
            return Ok(Address::From(pointer, offset));
        }
        let words = MEMORY / WORD - 1;
        Ok(Address::At(match self.choices.chance(1, 5)? {
            true => self.choices.below(MEMORY - bytes + 1)?,
            // Few addresses, so that some meet.
            false => WORD * self.choices.below(words.min(4))?,
        }))
    }

    fn slot(&mut self) -> Result<Slot, Reject> {
        self.slot_below(self.limits.depth)
    }

    pub(super) fn slot_below(&mut self, depth: u32) -> Result<Slot, Reject> {
        if depth > 0 && self.choices.chance(1, 4)? {
            return Ok(Slot::Of(Box::new(self.term(depth - 1)?)));
        }
        if !self.scope.is_empty() && self.choices.chance(1, 3)? {
            let local = Term::Local(self.choices.pick(&self.scope)?.0);
            return Ok(Slot::Word(Box::new(match self.choices.below(3)? {
                0 => local,
                offset => {
                    let operands = vec![local, Term::Number(UBig::from(offset))];
                    Term::Opcode(Opcode::Add, operands)
                }
            })));
        }
        Ok(Slot::At(self.choices.below(SLOTS)?))
    }
}

/// A word: often a small one, or one at an end of a range.
pub(super) fn draw_word(choices: &mut Choices) -> Result<UBig, Reject> {
    Ok(match choices.below(6)? {
        0 => UBig::from(choices.below(4)?),
        1 => UBig::from(choices.below(300)?),
        2 => most() - UBig::from(choices.below(3)?),
        3 => UBig::ONE << (8 * choices.between(1, 31)? as usize),
        4 => UBig::ONE << 255,
        _ => {
            let mut word = UBig::ZERO;
            for _ in 0..4 {
                word = (word << 64) + UBig::from(choices.between(0, u64::MAX)?);
            }
            word
        }
    })
}
