//! Flat code and the stack machine that runs it.
//!
//! Every loop and call costs fuel, so does every element that a function of
//! the prelude touches: a function that does not end is a [`Fault`], not a
//! hang.

use std::rc::Rc;

use super::builtin;
use super::code::{Code, Constant, Op};
use super::texts::{Composer, Texts};
use super::value::{Extent, Fields, Value};
use crate::spec::source::Span;

/// Where rules find attributes.
pub(crate) trait Sources {
    fn own(&self, slot: u32) -> Value;
    fn child(&self, child: u16, slot: u32) -> Value;
    /// How high the node may be.
    fn height(&self) -> i64;
}

/// For code without attributes.
pub(crate) struct NoSources;

impl Sources for NoSources {
    fn own(&self, _slot: u32) -> Value {
        Value::Absent
    }

    fn child(&self, _child: u16, _slot: u32) -> Value {
        Value::Absent
    }

    fn height(&self) -> i64 {
        0
    }
}

/// What went wrong in a function, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub span: Span,
    pub kind: FaultKind,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FaultKind {
    #[error("more than {MAX_FUEL} steps: does this end?")]
    Fuel,
    #[error("more than {MAX_STEPS} steps for one program")]
    Steps,
    #[error("calls nest more than {MAX_CALLS} deep: does this end?")]
    Calls,
    #[error("a number beyond 64 bits")]
    Overflow,
    #[error("division by zero")]
    Zero,
    #[error("there is no item {0}: the list has {1}")]
    Index(i64, usize),
    #[error("values nest too deep, or have too many parts")]
    Large,
    #[error("too much text: more than 64 MB")]
    Text,
    #[error("{0}")]
    Error(String),
    /// The checker lets nothing of the kind pass.
    #[error("a value of another type (a bug of lydite)")]
    Type,
}

/// What one rule may use.
pub(crate) const MAX_FUEL: u64 = 1_000_000;
/// What all rules of a program may use: also a bound on what they can hold.
const MAX_STEPS: u64 = 1 << 26;
const MAX_CALLS: usize = 10_000;
/// So much of large values and texts is looked at for one step.
const PARTS_PER_STEP: u32 = 8;
const BYTES_PER_STEP: u64 = 64;
/// For so many items a list that a loop makes has room from the beginning.
const ROOM: usize = 8;

/// The machine of one run.
pub(crate) struct Machine<'a> {
    pub(super) code: &'a Code,
    pub(crate) texts: Texts,
    constants: Vec<Value>,
    knobs: Vec<Value>,
    pub(super) stack: Vec<Value>,
    calls: Vec<Call>,
    fuel: u64,
    at: usize,
    /// Steps of all rules so far.
    pub(crate) steps: u64,
}

struct Call {
    back: usize,
    base: usize,
}

impl<'a> Machine<'a> {
    /// `knobs` in the order of the spec.
    pub(crate) fn new(code: &'a Code, knobs: Vec<Value>) -> Machine<'a> {
        let mut texts = Texts::new();
        let constants = code.constants.iter().map(|constant| match constant {
            Constant::Int(number) => Value::Int(*number),
            Constant::Bool(value) => Value::Bool(*value),
            Constant::Tag(tag) => Value::Tag(*tag),
            Constant::Text(text) => Value::Text(texts.intern(text).unwrap_or(0)),
        });
        let constants = constants.collect();
        Machine {
            code,
            texts,
            constants,
            knobs,
            stack: Vec::new(),
            calls: Vec::new(),
            fuel: 0,
            at: 0,
            steps: 0,
        }
    }

    pub(crate) fn constant(&self, constant: u32) -> Value {
        self.constants[constant as usize].clone()
    }

    /// The value of the code that begins at `entry`.
    pub(crate) fn run(&mut self, entry: u32, sources: &impl Sources) -> Result<Value, Fault> {
        self.fuel = MAX_FUEL;
        self.stack.clear();
        self.calls.clear();
        self.at = entry as usize;
        if self.steps > MAX_STEPS {
            self.at += 1;
            return Err(self.fault(FaultKind::Steps));
        }
        let result = self.go(sources);
        self.steps += MAX_FUEL - self.fuel + 1;
        result
    }

    pub(super) fn fault(&self, kind: FaultKind) -> Fault {
        let span = self.code.spans[self.at.saturating_sub(1)];
        Fault { span, kind }
    }

    pub(super) fn spend(&mut self, fuel: u64) -> Result<(), Fault> {
        match self.fuel.checked_sub(fuel) {
            Some(rest) => {
                self.fuel = rest;
                Ok(())
            }
            None => {
                self.fuel = 0;
                Err(self.fault(FaultKind::Fuel))
            }
        }
    }

    /// For comparing values: all parts of `value` may be looked at.
    pub(super) fn spend_on(&mut self, value: Extent) -> Result<(), Fault> {
        self.spend(u64::from(value.parts() / PARTS_PER_STEP))
    }

    pub(super) fn list(&self, items: Vec<Value>) -> Result<Value, Fault> {
        Value::list(items).ok_or_else(|| self.fault(FaultKind::Large))
    }

    pub(super) fn data(&self, tag: u32, fields: Fields) -> Result<Value, Fault> {
        Value::data(tag, fields).ok_or_else(|| self.fault(FaultKind::Large))
    }

    pub(super) fn compose(&mut self, write: impl FnOnce(&mut Composer)) -> Result<Value, Fault> {
        let Some(text) = self.texts.compose(write) else {
            return Err(self.fault(FaultKind::Text));
        };
        self.spend_on_text(text)?;
        Ok(Value::Text(text))
    }

    /// For going through a text.
    pub(super) fn spend_on_text(&mut self, text: u32) -> Result<(), Fault> {
        self.spend(self.texts.get(text).len() as u64 / BYTES_PER_STEP)
    }

    fn go(&mut self, sources: &impl Sources) -> Result<Value, Fault> {
        let code = self.code;
        let mut base = 0usize;
        // Where the code goes on; `self.at` has it for messages.
        let mut at = self.at;
        loop {
            let op = &code.ops[at];
            at += 1;
            self.at = at;
            match *op {
                Op::Local(local) => self.push_local(base, local),
                Op::Locals(first, second) => {
                    at += 1;
                    self.push_local(base, first);
                    self.push_local(base, second);
                }
                Op::LocalField { local, field } => {
                    at += 1;
                    self.push_field(base, local, field)?;
                }
                Op::Const(constant) => {
                    let value = self.constants[constant as usize].clone();
                    self.stack.push(value);
                }
                Op::Knob(knob) => {
                    let value = self.knobs[knob as usize].clone();
                    self.stack.push(value);
                }
                Op::Own(slot) => self.stack.push(sources.own(slot)),
                Op::Child(child, slot) => self.stack.push(sources.child(child, slot)),
                Op::Height => self.stack.push(Value::Int(sources.height())),
                Op::Call { function, args } => {
                    self.enter(Call { back: at, base })?;
                    base = self.stack.len() - args as usize;
                    at = code.functions[function as usize] as usize;
                }
                Op::Return | Op::ReturnConst(_) | Op::ReturnLocal(_) => {
                    let result = self.result(*op, base)?;
                    let Some(call) = self.calls.pop() else {
                        return Ok(result);
                    };
                    self.stack.truncate(base);
                    self.stack.push(result);
                    base = call.base;
                    at = call.back;
                }
                Op::Next { local, lists, end } => {
                    let more = self.next_items(base + local as usize, lists)?;
                    at = if more { at } else { end as usize };
                }
                Op::Builtin(builtin) => builtin::apply(self, builtin)?,
                Op::Push(local) => self.push_item(base + local as usize)?,
                op => {
                    if !self.control(op, base, &mut at)? && !self.on_numbers(op) {
                        self.step(op)?;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn enter(&mut self, call: Call) -> Result<(), Fault> {
        self.spend(1)?;
        if self.calls.len() == MAX_CALLS {
            return Err(self.fault(FaultKind::Calls));
        }
        self.calls.push(call);
        Ok(())
    }

    /// What a return gives back.
    #[inline(always)]
    fn result(&mut self, op: Op, base: usize) -> Result<Value, Fault> {
        match op {
            Op::ReturnConst(constant) => Ok(self.constants[constant as usize].clone()),
            Op::ReturnLocal(local) => Ok(self.stack[base + local as usize].clone()),
            _ => self.pop(),
        }
    }

    #[inline(always)]
    fn push_local(&mut self, base: usize, local: u32) {
        let value = self.stack[base + local as usize].clone();
        self.stack.push(value);
    }

    #[inline(always)]
    fn push_field(&mut self, base: usize, local: u32, field: u32) -> Result<(), Fault> {
        let Value::Data(data) = &self.stack[base + local as usize] else {
            self.at += 1;
            return Err(self.fault(FaultKind::Type));
        };
        let value = data.fields[field as usize].clone();
        self.stack.push(value);
        Ok(())
    }

    fn pop(&mut self) -> Result<Value, Fault> {
        self.stack.pop().ok_or_else(|| self.fault(FaultKind::Type))
    }

    fn pop_bool(&mut self) -> Result<bool, Fault> {
        match self.pop()? {
            Value::Bool(value) => Ok(value),
            _ => Err(self.fault(FaultKind::Type)),
        }
    }

    /// Operators whose operands are numbers, where the result is one or a truth.
    #[inline(always)]
    fn on_numbers(&mut self, op: Op) -> bool {
        let [.., Value::Int(a), Value::Int(b)] = self.stack[..] else {
            return false;
        };
        let number = |number: Option<i64>| number.map(Value::Int);
        let result = match op {
            Op::Add => number(a.checked_add(b)),
            Op::Subtract => number(a.checked_sub(b)),
            Op::Multiply => number(a.checked_mul(b)),
            Op::Equal => Some(Value::Bool(a == b)),
            Op::NotEqual => Some(Value::Bool(a != b)),
            Op::Less => Some(Value::Bool(a < b)),
            Op::LessEqual => Some(Value::Bool(a <= b)),
            Op::Greater => Some(Value::Bool(a > b)),
            Op::GreaterEqual => Some(Value::Bool(a >= b)),
            _ => None,
        };
        let Some(result) = result else {
            return false;
        };
        self.stack.pop();
        if let Some(left) = self.stack.last_mut() {
            *left = result;
        }
        true
    }

    /// Everything but calls, attributes and control.
    fn step(&mut self, op: Op) -> Result<(), Fault> {
        match op {
            Op::Data { tag, count } => {
                let fields = self.stack.drain(self.stack.len() - count as usize..);
                let fields = fields.collect();
                let data = self.data(tag, fields)?;
                self.stack.push(data);
            }
            Op::Field(field) => {
                let Value::Data(data) = self.pop()? else {
                    return Err(self.fault(FaultKind::Type));
                };
                self.stack.push(data.fields[field as usize].clone());
            }
            Op::With(field) => {
                let value = self.pop()?;
                let Value::Data(data) = self.pop()? else {
                    return Err(self.fault(FaultKind::Type));
                };
                let changed = Value::with(data, field, value);
                let changed = changed.ok_or_else(|| self.fault(FaultKind::Large))?;
                self.stack.push(changed);
            }
            Op::List(count) => {
                let items = self.stack.split_off(self.stack.len() - count as usize);
                let list = self.list(items)?;
                self.stack.push(list);
            }
            Op::HasTag(tag) => {
                let value = self.pop()?;
                self.stack.push(Value::Bool(value.tag() == tag));
            }
            Op::Not => {
                let value = self.pop_bool()?;
                self.stack.push(Value::Bool(!value));
            }
            Op::Print => {
                let value = self.pop()?;
                let text = self.print(&value)?;
                self.stack.push(text);
            }
            Op::Concat(count) => {
                let texts = self.stack.split_off(self.stack.len() - count as usize);
                let text = self.compose(|out| {
                    for text in &texts {
                        if let Value::Text(text) = text {
                            out.push_known(*text);
                        }
                    }
                })?;
                self.stack.push(text);
            }
            op => self.operate(op)?,
        }
        Ok(())
    }

    /// What moves values, or where the code goes on.
    #[inline(always)]
    fn control(&mut self, op: Op, base: usize, at: &mut usize) -> Result<bool, Fault> {
        match op {
            Op::Store(local) => {
                let value = self.pop()?;
                self.stack[base + local as usize] = value;
            }
            Op::Slide(count) => {
                let top = self.pop()?;
                self.stack.truncate(self.stack.len() - count as usize);
                self.stack.push(top);
            }
            Op::Reset(local) => self.stack.truncate(base + local as usize),
            Op::Again { local, to } => {
                self.stack.truncate(base + local as usize);
                *at = to as usize;
            }
            Op::Jump(to) => *at = to as usize,
            Op::JumpUnless(to) => {
                if !self.pop_bool()? {
                    *at = to as usize;
                }
            }
            Op::JumpIf(to) => match self.pop_bool()? {
                true => *at = to as usize,
                false => *at += 1,
            },
            Op::Branch { yes, no } => *at = if self.pop_bool()? { yes } else { no } as usize,
            Op::UnlessTag { local, tag, to } => {
                let has = self.stack[base + usize::from(local)].tag() == tag;
                *at = if has { *at + 2 } else { to as usize };
            }
            Op::UnlessConst { constant, to } => {
                let value = self.pop()?;
                let is = value == self.constants[constant as usize];
                *at = if is { *at + 2 } else { to as usize };
            }
            Op::Switch(table) => {
                let tag = self.pop()?.tag();
                *at = self.switch(table, tag)?;
            }
            Op::SwitchOn { local, table } => {
                let tag = self.stack[base + local as usize].tag();
                *at = self.switch(table, tag)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    #[inline(always)]
    fn switch(&self, table: u32, tag: u32) -> Result<usize, Fault> {
        let (first, targets) = &self.code.tables[table as usize];
        let target = targets.get(tag.wrapping_sub(*first) as usize);
        let target = target.ok_or_else(|| self.fault(FaultKind::Type))?;
        Ok(*target as usize)
    }

    fn push_item(&mut self, local: usize) -> Result<(), Fault> {
        let value = self.pop()?;
        let Value::List(list) = &mut self.stack[local] else {
            return Err(self.fault(FaultKind::Type));
        };
        // The list was made by this loop: nobody else has it.
        let list = Rc::make_mut(list);
        if list.items.capacity() == 0 {
            list.items.reserve(ROOM);
        }
        match list.push(value) {
            true => Ok(()),
            false => Err(self.fault(FaultKind::Large)),
        }
    }

    /// False where one of the lists has ended.
    fn next_items(&mut self, local: usize, lists: u32) -> Result<bool, Fault> {
        self.spend(1)?;
        let index_at = local + lists as usize;
        let Value::Int(index) = self.stack[index_at] else {
            return Err(self.fault(FaultKind::Type));
        };
        for list in local..index_at {
            let Value::List(list) = &self.stack[list] else {
                return Err(self.fault(FaultKind::Type));
            };
            let Some(item) = list.items.get(index as usize) else {
                self.stack.truncate(index_at + 1);
                return Ok(false);
            };
            let item = item.clone();
            self.stack.push(item);
        }
        self.stack[index_at] = Value::Int(index + 1);
        Ok(true)
    }

    /// Operators with operands.
    fn operate(&mut self, op: Op) -> Result<(), Fault> {
        let right = self.pop()?;
        if op == Op::Minus {
            let Value::Int(number) = right else {
                return Err(self.fault(FaultKind::Type));
            };
            let negative = number.checked_neg();
            let negative = negative.ok_or_else(|| self.fault(FaultKind::Overflow))?;
            self.stack.push(Value::Int(negative));
            return Ok(());
        }
        let left = self.pop()?;
        self.spend_on(right.extent())?;
        let result = match op {
            Op::Equal => Value::Bool(left == right),
            Op::NotEqual => Value::Bool(left != right),
            Op::Less => Value::Bool(left < right),
            Op::LessEqual => Value::Bool(left <= right),
            Op::Greater => Value::Bool(left > right),
            Op::GreaterEqual => Value::Bool(left >= right),
            Op::Join => self.join(&left, &right)?,
            _ => {
                let (Value::Int(a), Value::Int(b)) = (left, right) else {
                    return Err(self.fault(FaultKind::Type));
                };
                if b == 0 && matches!(op, Op::Divide | Op::Remainder) {
                    return Err(self.fault(FaultKind::Zero));
                }
                let result = match op {
                    Op::Add => a.checked_add(b),
                    Op::Subtract => a.checked_sub(b),
                    Op::Multiply => a.checked_mul(b),
                    Op::Divide => a.checked_div(b),
                    _ => a.checked_rem(b),
                };
                Value::Int(result.ok_or_else(|| self.fault(FaultKind::Overflow))?)
            }
        };
        self.stack.push(result);
        Ok(())
    }

    fn join(&mut self, left: &Value, right: &Value) -> Result<Value, Fault> {
        match (left, right) {
            (Value::List(a), Value::List(b)) => {
                self.spend((a.items.len() + b.items.len()) as u64)?;
                self.list(a.items.iter().chain(&b.items).cloned().collect())
            }
            (Value::Text(a), Value::Text(b)) => self.compose(|out| {
                out.push_known(*a);
                out.push_known(*b);
            }),
            _ => Err(self.fault(FaultKind::Type)),
        }
    }
}
