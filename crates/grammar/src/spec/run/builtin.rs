//! Functions that the machine knows. Their types stand in the prelude.

use super::machine::{Fault, FaultKind, Machine};
use super::map::Map;
use super::numbers;
use super::texts::MAX_BYTES;
use super::value::{Fields, Value};
use super::wide;

macro_rules! builtins {
    ($($variant:ident $name:literal $arity:literal,)+) => {
        /// A function of the prelude without a body.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Builtin { $($variant,)+ }

        const TABLE: &[(&str, Builtin, usize)] = &[$(($name, Builtin::$variant, $arity),)+];
    };
}

builtins! {
    Text "text" 1, Length "length" 1, Upper "upper" 1, Lower "lower" 1, Repeat "repeat" 2,
    Slice "slice" 3, JoinTexts "join" 2, StartsWith "starts_with" 2, Number "number" 1,
    Count "count" 1, At "at" 2, Append "append" 2, Reverse "reverse" 1, Sort "sort" 1,
    SortTexts "sort_texts" 1, Distinct "distinct" 1, Range "range" 2, Member "member" 2,
    Any "any" 1, All "all" 1, Sum "sum" 1, Take "take" 2, Drop "drop" 2, Flatten "flatten" 1,
    Zip "zip" 2, Stretch "stretch" 2,
    EmptyMap "map" 0, Put "put" 3, Get "get" 2, GetOr "get_or" 3, Has "has" 2, Remove "remove" 2,
    Keys "keys" 1, Values "values" 1, Entries "entries" 1, Size "size" 1, Merge "merge" 2,
    EmptySet "set" 0, Add "add" 2, Contains "contains" 2, Without "without" 2, Items "items" 1,
    Union "union" 2, Intersection "intersection" 2, Difference "difference" 2,
    Max "max" 2, Min "min" 2, Power "power" 2, Error "error" 1,
    EndsWith "ends_with" 2, IndexOf "index_of" 2, Replace "replace" 3, Compare "compare" 2,
    Code "code" 1, Character "character" 1, Characters "characters" 1,
    BitAnd "bit_and" 2, BitOr "bit_or" 2, BitXor "bit_xor" 2, BitNot "bit_not" 1,
    ShiftLeft "shift_left" 2, ShiftRight "shift_right" 2, ShiftRightUnsigned "unsigned_shift_right" 2,
    CheckedAdd "checked_add" 2, CheckedSubtract "checked_subtract" 2,
    CheckedMultiply "checked_multiply" 2, CheckedDivide "checked_divide" 2,
    CheckedRemainder "checked_remainder" 2, CheckedPower "checked_power" 2,
    WrappedAdd "wrapped_add" 2, WrappedSubtract "wrapped_subtract" 2,
    WrappedMultiply "wrapped_multiply" 2, Wrap "wrap" 2, WrapUnsigned "wrap_unsigned" 2,
    UnsignedDivide "unsigned_divide" 2, UnsignedRemainder "unsigned_remainder" 2,
    UnsignedLess "unsigned_less" 2, UnsignedText "unsigned_text" 1, Hexadecimal "hexadecimal" 1,
    Wide "wide" 1, WideNumber "wide_number" 1, Narrow "narrow" 1,
    WideAdd "wide_add" 2, WideSubtract "wide_subtract" 2, WideMultiply "wide_multiply" 2,
    WideDivide "wide_divide" 2, WideRemainder "wide_remainder" 2, WidePower "wide_power" 2,
    WideAnd "wide_and" 2, WideOr "wide_or" 2, WideXor "wide_xor" 2,
    WideShiftLeft "wide_shift_left" 2, WideShiftRight "wide_shift_right" 2,
    WideWrap "wide_wrap" 2, WideWrapUnsigned "wide_wrap_unsigned" 2,
    WideCompare "wide_compare" 2, WideHexadecimal "wide_hexadecimal" 1,
}

impl Builtin {
    pub(crate) fn named(name: &str) -> Option<Builtin> {
        let found = TABLE.iter().find(|(known, ..)| *known == name);
        found.map(|(_, builtin, _)| *builtin)
    }

    pub(crate) fn arity(self) -> usize {
        TABLE[self as usize].2
    }
}

/// The tags of `type Option<T> = None | Some(T)`, the first type of the prelude;
/// 0 is that of tuples and records.
pub(crate) const NONE: u32 = 1;
pub(super) const SOME: u32 = 2;

/// Applies `builtin` to the topmost values of the machine's stack.
pub(super) fn apply(machine: &mut Machine, builtin: Builtin) -> Result<(), Fault> {
    let first = machine.stack.len() - builtin.arity();
    if let Some(result) = quick(&machine.stack[first..], builtin) {
        machine.stack.truncate(first);
        machine.stack.push(result);
        return Ok(());
    }
    let result = match builtin {
        Builtin::Text
        | Builtin::Length
        | Builtin::Upper
        | Builtin::Lower
        | Builtin::Repeat
        | Builtin::Slice
        | Builtin::JoinTexts
        | Builtin::StartsWith
        | Builtin::Number
        | Builtin::SortTexts
        | Builtin::EndsWith
        | Builtin::IndexOf
        | Builtin::Replace
        | Builtin::Compare
        | Builtin::Code
        | Builtin::Characters
        | Builtin::Error => on_texts(machine, builtin, first)?,
        Builtin::Max | Builtin::Min | Builtin::Power => on_numbers(machine, builtin, first)?,
        Builtin::EmptyMap
        | Builtin::Put
        | Builtin::Get
        | Builtin::GetOr
        | Builtin::Has
        | Builtin::Remove
        | Builtin::Keys
        | Builtin::Values
        | Builtin::Entries
        | Builtin::Size
        | Builtin::Merge => on_maps(machine, builtin, first)?,
        Builtin::EmptySet
        | Builtin::Add
        | Builtin::Contains
        | Builtin::Without
        | Builtin::Items
        | Builtin::Union
        | Builtin::Intersection
        | Builtin::Difference => on_sets(machine, builtin, first)?,
        _ if builtin as usize >= Builtin::Wide as usize => wide::apply(machine, builtin, first)?,
        _ if builtin as usize >= Builtin::Character as usize => {
            numbers::apply(machine, builtin, first)?
        }
        _ => on_lists(machine, builtin, first)?,
    };
    machine.stack.truncate(first);
    machine.stack.push(result);
    Ok(())
}

/// What comes up most, where nothing can go wrong and it costs no steps.
#[inline]
fn quick(args: &[Value], builtin: Builtin) -> Option<Value> {
    Some(match (builtin, args) {
        (Builtin::Count, [Value::List(list)]) => Value::Int(list.items.len() as i64),
        (Builtin::At, [Value::List(list), Value::Int(at)]) => {
            list.items.get(usize::try_from(*at).ok()?)?.clone()
        }
        (Builtin::Max, [Value::Int(a), Value::Int(b)]) => Value::Int(*a.max(b)),
        (Builtin::Min, [Value::Int(a), Value::Int(b)]) => Value::Int(*a.min(b)),
        (_, [Value::Int(a), Value::Int(b)]) => return numbers::quick(builtin, *a, *b),
        (
            Builtin::Member,
            [
                Value::List(list),
                item @ (Value::Int(_) | Value::Bool(_) | Value::Tag(_)),
            ],
        ) if list.items.len() < 8 => Value::Bool(list.items.contains(item)),
        (Builtin::Size, [Value::Map(map)]) => Value::Int(i64::from(map.len())),
        (
            Builtin::GetOr,
            [
                Value::Map(map),
                key @ (Value::Int(_) | Value::Text(_)),
                otherwise,
            ],
        ) => map.get(key).unwrap_or(otherwise).clone(),
        _ => return None,
    })
}

/// The option that holds `number`, if there is one.
pub(super) fn option(machine: &Machine, number: Option<i64>) -> Result<Value, Fault> {
    match number {
        Some(number) => machine.data(SOME, Fields::One([Value::Int(number)])),
        None => Ok(Value::Tag(NONE)),
    }
}

/// Values that the checker has given a type.
macro_rules! typed {
    ($machine:expr, $at:expr, $variant:ident) => {
        match &$machine.stack[$at] {
            Value::$variant(value) => value.clone(),
            _ => return Err($machine.fault(FaultKind::Type)),
        }
    };
}

fn on_texts(machine: &mut Machine, builtin: Builtin, first: usize) -> Result<Value, Fault> {
    if builtin == Builtin::Text {
        let value = machine.stack[first].clone();
        return machine.print(&value);
    }
    if builtin == Builtin::JoinTexts || builtin == Builtin::SortTexts {
        return on_lists_of_texts(machine, builtin, first);
    }
    let number = typed!(machine, first, Text);
    machine.spend_on_text(number)?;
    match builtin {
        Builtin::Length => {
            let length = machine.texts.get(number).chars().count();
            Ok(Value::Int(length as i64))
        }
        Builtin::StartsWith
        | Builtin::EndsWith
        | Builtin::IndexOf
        | Builtin::Compare
        | Builtin::Replace => on_two_texts(machine, builtin, first, number),
        Builtin::Code => {
            let code = machine.texts.get(number).chars().next();
            let empty = || machine.fault(FaultKind::Error("an empty text has no code".to_string()));
            code.map(|c| Value::Int(i64::from(u32::from(c))))
                .ok_or_else(empty)
        }
        Builtin::Characters => characters(machine, number),
        Builtin::Number => option(machine, machine.texts.get(number).parse().ok()),
        Builtin::Repeat => {
            let times = typed!(machine, first + 1, Int);
            let times = usize::try_from(times).unwrap_or(0);
            let length = machine.texts.get(number).len();
            machine.spend((times as u64).saturating_mul(length as u64 + 1))?;
            machine.compose(|out| (0..times).for_each(|_| out.push_known(number)))
        }
        Builtin::Slice => {
            let (from, to) = (
                typed!(machine, first + 1, Int),
                typed!(machine, first + 2, Int),
            );
            let from = usize::try_from(from).unwrap_or(0);
            let count = usize::try_from(to).unwrap_or(0).saturating_sub(from);
            let text = machine.texts.get(number);
            let part: String = text.chars().skip(from).take(count).collect();
            machine.compose(|out| out.push(&part))
        }
        Builtin::Error => {
            let message = machine.texts.get(number).to_string();
            Err(machine.fault(FaultKind::Error(message)))
        }
        _ => {
            let text = machine.texts.get(number);
            let changed = match builtin {
                Builtin::Upper => text.to_uppercase(),
                _ => text.to_lowercase(),
            };
            machine.compose(|out| out.push(&changed))
        }
    }
}

/// The characters of a text, each as a text.
fn characters(machine: &mut Machine, text: u32) -> Result<Value, Fault> {
    let all: Vec<char> = machine.texts.get(text).chars().collect();
    machine.spend(all.len() as u64)?;
    let mut texts = Vec::new();
    for c in all {
        texts.push(machine.compose(|out| out.push(c.encode_utf8(&mut [0; 4])))?);
    }
    machine.list(texts)
}

fn on_two_texts(
    machine: &mut Machine,
    builtin: Builtin,
    first: usize,
    number: u32,
) -> Result<Value, Fault> {
    let other = typed!(machine, first + 1, Text);
    machine.spend_on_text(other)?;
    let (text, other) = (machine.texts.get(number), machine.texts.get(other));
    Ok(match builtin {
        Builtin::StartsWith => Value::Bool(text.starts_with(other)),
        Builtin::EndsWith => Value::Bool(text.ends_with(other)),
        Builtin::Compare => Value::Int(text.cmp(other) as i64),
        Builtin::IndexOf => match text.find(other) {
            Some(at) => {
                let index = text[..at].chars().count() as i64;
                return machine.data(SOME, Fields::One([Value::Int(index)]));
            }
            None => Value::Tag(NONE),
        },
        _ => {
            let with = typed!(machine, first + 2, Text);
            let with = machine.texts.get(with);
            if other.is_empty() {
                return Ok(Value::Text(number));
            }
            // What it becomes is known before it is made.
            let length = text.len() as u64 + text.matches(other).count() as u64 * with.len() as u64;
            if length > MAX_BYTES as u64 {
                return Err(machine.fault(FaultKind::Text));
            }
            let changed = text.replace(other, with);
            return machine.compose(|out| out.push(&changed));
        }
    })
}

fn on_lists_of_texts(
    machine: &mut Machine,
    builtin: Builtin,
    first: usize,
) -> Result<Value, Fault> {
    let list = typed!(machine, first, List);
    machine.spend(list.items.len() as u64)?;
    let texts: Vec<u32> = list.items.iter().filter_map(text_of).collect();
    if builtin == Builtin::SortTexts {
        let mut sorted = texts;
        sorted.sort_by(|&a, &b| machine.texts.get(a).cmp(machine.texts.get(b)));
        return machine.list(sorted.into_iter().map(Value::Text).collect());
    }
    let between = typed!(machine, first + 1, Text);
    machine.compose(|out| {
        for (i, text) in texts.iter().enumerate() {
            if i > 0 {
                out.push_known(between);
            }
            out.push_known(*text);
        }
    })
}

fn text_of(value: &Value) -> Option<u32> {
    match value {
        Value::Text(text) => Some(*text),
        _ => None,
    }
}

fn on_numbers(machine: &mut Machine, builtin: Builtin, first: usize) -> Result<Value, Fault> {
    let (a, b) = (typed!(machine, first, Int), typed!(machine, first + 1, Int));
    match builtin {
        Builtin::Max => Ok(Value::Int(a.max(b))),
        Builtin::Min => Ok(Value::Int(a.min(b))),
        _ => {
            let power = u32::try_from(b).ok().and_then(|b| a.checked_pow(b));
            power
                .map(Value::Int)
                .ok_or_else(|| machine.fault(FaultKind::Overflow))
        }
    }
}

fn on_lists(machine: &mut Machine, builtin: Builtin, first: usize) -> Result<Value, Fault> {
    if builtin == Builtin::Range {
        let (low, high) = (typed!(machine, first, Int), typed!(machine, first + 1, Int));
        machine.spend(u64::try_from(high.saturating_sub(low)).unwrap_or(0))?;
        return machine.list((low..high).map(Value::Int).collect());
    }
    let list = typed!(machine, first, List);
    let items = &list.items;
    match builtin {
        Builtin::Count => return Ok(Value::Int(items.len() as i64)),
        Builtin::At => {
            let at = typed!(machine, first + 1, Int);
            let item = usize::try_from(at).ok().and_then(|at| items.get(at));
            let bad = || machine.fault(FaultKind::Index(at, items.len()));
            return item.cloned().ok_or_else(bad);
        }
        Builtin::Sort | Builtin::Distinct | Builtin::Member => {
            machine.spend(items.len() as u64)?;
            machine.spend_on(machine.stack[first].extent())?;
        }
        _ => machine.spend(items.len() as u64)?,
    }
    if let Some(answer) = answer_of(machine, builtin, first, items)? {
        return Ok(answer);
    }
    let changed = changed(machine, builtin, first, items)?;
    machine.list(changed)
}

/// Functions that make another list of a list.
fn changed(
    machine: &mut Machine,
    builtin: Builtin,
    first: usize,
    items: &[Value],
) -> Result<Vec<Value>, Fault> {
    let number = |machine: &Machine| match &machine.stack[first + 1] {
        Value::Int(number) => usize::try_from(*number).unwrap_or(0).min(items.len()),
        _ => 0,
    };
    Ok(match builtin {
        Builtin::Append => {
            let last = machine.stack[first + 1].clone();
            items.iter().cloned().chain([last]).collect()
        }
        Builtin::Reverse => items.iter().rev().cloned().collect(),
        Builtin::Take => items[..number(machine)].to_vec(),
        Builtin::Drop => items[number(machine)..].to_vec(),
        Builtin::Sort => {
            let mut sorted = items.to_vec();
            sorted.sort();
            sorted
        }
        Builtin::Distinct => {
            let mut seen = Map::default();
            let mut kept = Vec::new();
            for item in items {
                if seen.get(item).is_none() {
                    seen = seen.insert(item, &Value::Absent);
                    kept.push(item.clone());
                }
            }
            kept
        }
        Builtin::Stretch => stretched(machine, first, items)?,
        Builtin::Flatten => {
            let mut flat = Vec::new();
            for item in items {
                if let Value::List(inner) = item {
                    machine.spend(inner.items.len() as u64)?;
                    flat.extend(inner.items.iter().cloned());
                }
            }
            flat
        }
        _ => {
            let other = typed!(machine, first + 1, List);
            let pairs = items.iter().zip(&other.items);
            let pairs = pairs.map(|(a, b)| machine.data(0, Fields::Two([a.clone(), b.clone()])));
            pairs.collect::<Result<_, _>>()?
        }
    })
}

/// Each item as many times as the second argument says.
fn stretched(machine: &mut Machine, first: usize, items: &[Value]) -> Result<Vec<Value>, Fault> {
    let times = typed!(machine, first + 1, Int);
    let times = usize::try_from(times).unwrap_or(0);
    machine.spend((items.len() as u64).saturating_mul(times as u64))?;
    let each = |item: &Value| std::iter::repeat_n(item.clone(), times);
    Ok(items.iter().flat_map(each).collect())
}

/// Functions that tell something of a list.
fn answer_of(
    machine: &Machine,
    builtin: Builtin,
    first: usize,
    items: &[Value],
) -> Result<Option<Value>, Fault> {
    let is_true = |item: &Value| matches!(item, Value::Bool(true));
    Ok(Some(match builtin {
        Builtin::Member => Value::Bool(items.contains(&machine.stack[first + 1])),
        Builtin::Any => Value::Bool(items.iter().any(is_true)),
        Builtin::All => Value::Bool(items.iter().all(is_true)),
        Builtin::Sum => {
            let mut numbers = items.iter().map(|item| match item {
                Value::Int(number) => *number,
                _ => 0,
            });
            let sum = numbers.try_fold(0i64, i64::checked_add);
            let overflow = || machine.fault(FaultKind::Overflow);
            Value::Int(sum.ok_or_else(overflow)?)
        }
        _ => return Ok(None),
    }))
}

fn on_maps(machine: &mut Machine, builtin: Builtin, first: usize) -> Result<Value, Fault> {
    if builtin == Builtin::EmptyMap {
        return Ok(Value::Map(Map::default()));
    }
    let map = typed!(machine, first, Map);
    if builtin.arity() > 1 {
        machine.spend_on(machine.stack[first + 1].extent())?;
    }
    let argument = |at: usize| &machine.stack[first + at];
    let too_large = |machine: &Machine| machine.fault(FaultKind::Large);
    match builtin {
        Builtin::Put => {
            Value::map(map.insert(argument(1), argument(2))).ok_or_else(|| too_large(machine))
        }
        Builtin::Get => match map.get(argument(1)) {
            Some(value) => machine.data(SOME, Fields::One([value.clone()])),
            None => Ok(Value::Tag(NONE)),
        },
        Builtin::GetOr => Ok(map.get(argument(1)).unwrap_or(argument(2)).clone()),
        Builtin::Has => Ok(Value::Bool(map.get(argument(1)).is_some())),
        Builtin::Remove => Ok(Value::Map(map.remove(argument(1)))),
        Builtin::Size => Ok(Value::Int(i64::from(map.len()))),
        Builtin::Merge => {
            let other = typed!(machine, first + 1, Map);
            machine.spend(u64::from(other.len()))?;
            let merged = other.iter().fold(map, |map, (k, v)| map.insert(k, v));
            Value::map(merged).ok_or_else(|| too_large(machine))
        }
        _ => {
            machine.spend(u64::from(map.len()))?;
            let listed: Result<Vec<Value>, Fault> = map
                .iter()
                .map(|(key, value)| match builtin {
                    Builtin::Keys => Ok(key.clone()),
                    Builtin::Values => Ok(value.clone()),
                    _ => machine.data(0, Fields::Two([key.clone(), value.clone()])),
                })
                .collect();
            machine.list(listed?)
        }
    }
}

fn on_sets(machine: &mut Machine, builtin: Builtin, first: usize) -> Result<Value, Fault> {
    if builtin == Builtin::EmptySet {
        return Ok(Value::Set(Map::default()));
    }
    let set = typed!(machine, first, Set);
    if builtin.arity() > 1 {
        machine.spend_on(machine.stack[first + 1].extent())?;
    }
    let too_large = |machine: &Machine| machine.fault(FaultKind::Large);
    let changed = match builtin {
        Builtin::Contains => {
            return Ok(Value::Bool(set.get(&machine.stack[first + 1]).is_some()));
        }
        Builtin::Add => with(set, &machine.stack[first + 1]),
        Builtin::Without => without(set, &machine.stack[first + 1]),
        Builtin::Items => {
            machine.spend(u64::from(set.len()))?;
            return machine.list(set.iter().map(|(key, _)| key.clone()).collect());
        }
        _ => {
            let other = typed!(machine, first + 1, Set);
            machine.spend(u64::from(set.len()) + u64::from(other.len()))?;
            match builtin {
                Builtin::Difference => other.iter().fold(set, |set, (key, _)| without(set, key)),
                Builtin::Union if set.len() < other.len() => union(other, &set),
                Builtin::Union => union(set, &other),
                _ if set.len() > other.len() => intersection(other, &set),
                _ => intersection(set, &other),
            }
        }
    };
    Value::set(changed).ok_or_else(|| too_large(machine))
}

// A set that does not change stays the one it is: what was computed of it need
// not be computed again.

fn with(set: Map, key: &Value) -> Map {
    match set.get(key) {
        Some(_) => set,
        None => set.insert(key, &Value::Absent),
    }
}

fn without(set: Map, key: &Value) -> Map {
    match set.get(key) {
        Some(_) => set.remove(key),
        None => set,
    }
}

fn union(set: Map, other: &Map) -> Map {
    other.iter().fold(set, |set, (key, _)| with(set, key))
}

fn intersection(set: Map, other: &Map) -> Map {
    let gone = set.iter().filter(|(key, _)| other.get(key).is_none());
    gone.fold(set.clone(), |set, (key, _)| set.remove(key))
}
