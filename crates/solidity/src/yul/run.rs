//! What a block does.

use std::collections::BTreeMap;

use dashu_int::UBig;

use super::{Address, Ending, Entry, Line, MEMORY, Routine, SLOTS, Slot, Term, WORD};
use crate::interpret::keccak256;

/// The contract between transactions.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) storage: BTreeMap<UBig, UBig>,
}

/// More steps than are granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// What a transaction gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Returned(Vec<u8>),
    Reverted(Vec<u8>),
}

/// Why a block does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stop {
    TooLong,
    Ended(Outcome),
}

/// Where a block goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
    Leave,
}

/// A call of an entry under way.
struct Run<'a> {
    routines: &'a [Routine],
    state: &'a mut State,
    transient: BTreeMap<UBig, UBig>,
    memory: Vec<u8>,
    /// Steps that are left.
    fuel: u64,
}

type Locals = BTreeMap<u32, UBig>;

impl Entry {
    /// What a transaction gives back. Nothing has changed if it is reverted or
    /// too long.
    pub(super) fn call(
        &self,
        state: &mut State,
        arguments: &[UBig],
        fuel: u64,
    ) -> Result<Outcome, TooLong> {
        let mut after = state.clone();
        let mut run = Run {
            routines: &self.routines,
            state: &mut after,
            transient: BTreeMap::new(),
            memory: vec![0; MEMORY as usize],
            fuel,
        };
        let results = run.enter(&self.parameters, &self.results, &self.body, arguments);
        let outcome = match results {
            Ok(results) => Outcome::Returned(results.iter().flat_map(bytes).collect()),
            Err(Stop::Ended(outcome)) => outcome,
            Err(Stop::TooLong) => return Err(TooLong),
        };
        if let Outcome::Returned(_) = outcome {
            *state = after;
        }
        Ok(outcome)
    }
}

impl Run<'_> {
    fn step(&mut self) -> Result<(), Stop> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::TooLong)?;
        Ok(())
    }

    fn enter(
        &mut self,
        parameters: &[u32],
        results: &[u32],
        body: &[Line],
        arguments: &[UBig],
    ) -> Result<Vec<UBig>, Stop> {
        let given = parameters.iter().copied().zip(arguments.iter().cloned());
        let zeros = results.iter().map(|result| (*result, UBig::ZERO));
        let mut locals: Locals = given.chain(zeros).collect();
        self.block(body, &mut locals)?;
        let results = results.iter().map(|result| locals[result].clone());
        Ok(results.collect())
    }

    fn block(&mut self, lines: &[Line], locals: &mut Locals) -> Result<Flow, Stop> {
        for line in lines {
            match self.line(line, locals)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn line(&mut self, line: &Line, locals: &mut Locals) -> Result<Flow, Stop> {
        self.step()?;
        match line {
            Line::Let(names, None) => {
                locals.extend(names.iter().map(|name| (*name, UBig::ZERO)));
            }
            Line::Let(names, Some(value)) | Line::Assign(names, value) => {
                let values = self.values(value, locals)?;
                locals.extend(names.iter().copied().zip(values));
            }
            Line::Drop(value) => {
                self.values(value, locals)?;
            }
            Line::Point { pointer, to, .. } => {
                let at = self.address(to, locals)?;
                locals.insert(*pointer, UBig::from(at));
            }
            // The last operand comes first.
            Line::Memory(address, value) => {
                let value = self.value(value, locals)?;
                let at = self.address(address, locals)?;
                self.memory[at..at + WORD as usize].copy_from_slice(&bytes(&value));
            }
            Line::Byte(address, value) => {
                let value = self.value(value, locals)?;
                let at = self.address(address, locals)?;
                self.memory[at] = bytes(&value)[WORD as usize - 1];
            }
            Line::Storage(slot, value) => {
                let value = self.value(value, locals)?;
                let slot = self.slot(slot, locals)?;
                self.state.storage.insert(slot, value);
            }
            Line::Transient(slot, value) => {
                let value = self.value(value, locals)?;
                let slot = self.slot(slot, locals)?;
                self.transient.insert(slot, value);
            }
            Line::If(condition, body) => {
                if self.value(condition, locals)? != UBig::ZERO {
                    return self.block(body, locals);
                }
            }
            Line::Switch(value, cases, default) => {
                let value = self.value(value, locals)?;
                let taken = cases.iter().find(|(case, _)| UBig::from(*case) == value);
                let body = taken.map(|(_, body)| body).or(default.as_ref());
                if let Some(body) = body {
                    return self.block(body, locals);
                }
            }
            Line::For(counter, times, body) => return self.repeat(*counter, *times, body, locals),
            Line::Block(body) => return self.block(body, locals),
            Line::Break => return Ok(Flow::Break),
            Line::Continue => return Ok(Flow::Continue),
            Line::Leave => return Ok(Flow::Leave),
            Line::End(ending) => return Err(Stop::Ended(self.end(ending, locals)?)),
        }
        Ok(Flow::Next)
    }

    fn end(&mut self, ending: &Ending, locals: &mut Locals) -> Result<Outcome, Stop> {
        Ok(match ending {
            Ending::Return(address, length) => {
                Outcome::Returned(self.bytes(address, *length, locals)?.to_vec())
            }
            Ending::Revert(address, length) => {
                Outcome::Reverted(self.bytes(address, *length, locals)?.to_vec())
            }
            Ending::Stop => Outcome::Returned(Vec::new()),
        })
    }

    /// So many bytes of memory.
    fn bytes(
        &mut self,
        address: &Address,
        length: u64,
        locals: &mut Locals,
    ) -> Result<&[u8], Stop> {
        let at = self.address(address, locals)?;
        Ok(&self.memory[at..at + length as usize])
    }

    fn repeat(
        &mut self,
        counter: u32,
        times: u64,
        body: &[Line],
        locals: &mut Locals,
    ) -> Result<Flow, Stop> {
        for round in 0..times {
            self.step()?;
            locals.insert(counter, UBig::from(round));
            match self.block(body, locals)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                Flow::Leave => return Ok(Flow::Leave),
            }
        }
        Ok(Flow::Next)
    }

    fn value(&mut self, term: &Term, locals: &mut Locals) -> Result<UBig, Stop> {
        let values = self.values(term, locals)?;
        Ok(values.into_iter().next().unwrap_or(UBig::ZERO))
    }

    fn values(&mut self, term: &Term, locals: &mut Locals) -> Result<Vec<UBig>, Stop> {
        self.step()?;
        Ok(vec![match term {
            Term::Number(value) => value.clone(),
            Term::Local(name) => locals[name].clone(),
            Term::Opcode(opcode, operands) => opcode.compute(&self.operands(operands, locals)?),
            Term::Memory(address) => {
                let at = self.address(address, locals)?;
                UBig::from_be_bytes(&self.memory[at..at + WORD as usize])
            }
            Term::Hash(address, length) => {
                UBig::from_be_bytes(&keccak256(self.bytes(address, *length, locals)?))
            }
            Term::Storage(slot) => {
                let slot = self.slot(slot, locals)?;
                let held = self.state.storage.get(&slot);
                held.cloned().unwrap_or(UBig::ZERO)
            }
            Term::Transient(slot) => {
                let slot = self.slot(slot, locals)?;
                let held = self.transient.get(&slot);
                held.cloned().unwrap_or(UBig::ZERO)
            }
            Term::Call(routine, arguments) => {
                let arguments = self.operands(arguments, locals)?;
                let Routine {
                    parameters,
                    results,
                    body,
                } = &self.routines[*routine];
                return self.enter(parameters, results, body, &arguments);
            }
        }])
    }

    /// The last operand is evaluated first.
    fn operands(&mut self, terms: &[Term], locals: &mut Locals) -> Result<Vec<UBig>, Stop> {
        let values: Result<Vec<UBig>, Stop> = terms
            .iter()
            .rev()
            .map(|term| self.value(term, locals))
            .collect();
        let mut values = values?;
        values.reverse();
        Ok(values)
    }

    fn address(&mut self, address: &Address, locals: &mut Locals) -> Result<usize, Stop> {
        Ok(match address {
            Address::At(at) => *at as usize,
            Address::Of(index) => low(&self.value(index, locals)?, MEMORY - WORD) as usize,
            Address::From(pointer, offset) => (low(&locals[pointer], MEMORY) + offset) as usize,
        })
    }

    fn slot(&mut self, slot: &Slot, locals: &mut Locals) -> Result<UBig, Stop> {
        Ok(match slot {
            Slot::At(at) => UBig::from(*at),
            Slot::Of(index) => UBig::from(low(&self.value(index, locals)?, SLOTS)),
            Slot::Word(index) => self.value(index, locals)?,
        })
    }
}

/// The rest of a division.
fn low(value: &UBig, by: u64) -> u64 {
    u64::try_from(value % UBig::from(by)).unwrap_or(0)
}

/// The bytes of a word, highest first.
pub(super) fn bytes(value: &UBig) -> [u8; WORD as usize] {
    let digits = value.to_be_bytes();
    let mut word = [0; WORD as usize];
    let from = word.len().saturating_sub(digits.len());
    word[from..].copy_from_slice(&digits);
    word
}

#[cfg(test)]
mod tests {
    use super::super::opcodes::Opcode;
    use super::*;

    fn number(value: u64) -> Term {
        Term::Number(UBig::from(value))
    }

    /// What an entry returns that has one result, variable 0.
    fn returned(routines: Vec<Routine>, body: Vec<Line>) -> Result<UBig, TooLong> {
        let entry = Entry {
            results: vec![0],
            routines,
            body,
            ..Entry::default()
        };
        match entry.call(&mut State::default(), &[], 100)? {
            Outcome::Returned(bytes) => Ok(UBig::from_be_bytes(&bytes)),
            Outcome::Reverted(bytes) => panic!("reverted {bytes:?}"),
        }
    }

    #[test]
    fn the_last_operand_is_evaluated_first() {
        // function g0() -> v1 { sstore(0, 5) }   v0 := sub(sload(0), g0())
        let writes = Routine {
            results: vec![1],
            body: vec![Line::Storage(Slot::At(0), number(5))],
            ..Routine::default()
        };
        let read = Term::Storage(Slot::At(0));
        let difference = Term::Opcode(Opcode::Sub, vec![read, Term::Call(0, Vec::new())]);
        let body = vec![Line::Assign(vec![0], difference)];
        assert_eq!(returned(vec![writes], body), Ok(UBig::from(5u8)));
    }

    #[test]
    fn loops_end_early_and_routines_leave() {
        let add = |name: u32, by: Term| {
            let sum = Term::Opcode(Opcode::Add, vec![Term::Local(name), by]);
            Line::Assign(vec![name], sum)
        };
        let is = |name: u32, value: u64| {
            Term::Opcode(Opcode::Equal, vec![Term::Local(name), number(value)])
        };
        // Rounds 0, 2 and the half of 3 that comes before the break.
        let body = vec![
            Line::If(is(9, 1), vec![Line::Continue]),
            add(0, number(10)),
            Line::If(is(9, 3), vec![Line::Break]),
            add(0, number(1)),
        ];
        let rounds = Line::For(9, 8, body);
        assert_eq!(returned(Vec::new(), vec![rounds]), Ok(UBig::from(32u8)));
        let leaves = Routine {
            results: vec![1],
            body: vec![
                Line::For(8, 4, vec![add(1, number(3)), Line::Leave]),
                add(1, number(100)),
            ],
            ..Routine::default()
        };
        let body = vec![Line::Assign(vec![0], Term::Call(0, Vec::new()))];
        assert_eq!(returned(vec![leaves], body), Ok(UBig::from(3u8)));
        let endless = Line::For(9, 1000, vec![add(0, number(1))]);
        assert_eq!(returned(Vec::new(), vec![endless]), Err(TooLong));
    }

    #[test]
    fn memory_is_of_bytes_and_words_may_overlap() {
        let body = vec![
            Line::Memory(Address::At(0), number(0x1234)),
            Line::Byte(Address::At(31), number(0xabcd)),
            Line::Assign(vec![0], Term::Memory(Address::At(1))),
        ];
        assert_eq!(returned(Vec::new(), body), Ok(UBig::from(0x12cd00u32)));
    }

    #[test]
    fn what_reverts_leaves_nothing_behind_and_what_returns_does() {
        let end = |ending: Ending| Entry {
            results: vec![0],
            body: vec![
                Line::Memory(Address::At(0), number(0xab)),
                Line::Storage(Slot::At(1), number(7)),
                Line::Block(vec![Line::End(ending)]),
                Line::Storage(Slot::At(2), number(8)),
            ],
            ..Entry::default()
        };
        let mut state = State::default();
        let mut call = |ending: Ending| {
            let outcome = end(ending).call(&mut state, &[], 100).unwrap();
            (outcome, state.storage.len())
        };
        let last = Ending::Revert(Address::At(31), 1);
        assert_eq!(call(last), (Outcome::Reverted(vec![0xab]), 0));
        let two = Ending::Return(Address::At(30), 2);
        assert_eq!(call(two), (Outcome::Returned(vec![0, 0xab]), 1));
        assert_eq!(call(Ending::Stop), (Outcome::Returned(Vec::new()), 1));
    }
}
