//! Total maps with a default: arrays, and sets as arrays to Bool.
//!
//! Invariant (canonical form): no entry has the default as its value, and
//! over a finite index sort the default is the most frequent value, the least
//! of those if there are several. So two arrays over the same sorts are
//! extensionally equal if and only if they are equal as data (but see
//! [`Domain::Unknown`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{CannotSay, Extent, MAX_LENGTH, MAX_NESTING, Value};

/// What is known of the index sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Domain {
    /// Infinite.
    Infinite,
    /// Finite, too large to list; how many values it has at least.
    Large(u64),
    /// All of its values.
    Listed(Arc<[Value]>),
    /// Perhaps finite: an uninterpreted sort whose elements nobody listed.
    /// Arrays that differ only in their defaults may or may not be equal.
    Unknown,
}

/// A total map: finitely many entries and a default.
#[derive(Clone, Debug)]
pub struct Array {
    domain: Domain,
    default: Value,
    entries: BTreeMap<Value, Value>,
    extent: Extent,
}

// The domain is a property of the sort: arrays of one sort have the same.
impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.default == other.default && self.entries == other.entries
    }
}

impl Eq for Array {}

impl PartialOrd for Array {
    fn partial_cmp(&self, other: &Array) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Array {
    fn cmp(&self, other: &Array) -> std::cmp::Ordering {
        let default = self.default.cmp(&other.default);
        default.then_with(|| self.entries.cmp(&other.entries))
    }
}

impl Array {
    /// The constant array.
    pub fn constant(domain: Domain, default: Value) -> Result<Array, CannotSay> {
        Array::new(domain, default, BTreeMap::new())
    }

    /// An array with these entries, brought into canonical form.
    pub fn new(
        domain: Domain,
        default: Value,
        mut entries: BTreeMap<Value, Value>,
    ) -> Result<Array, CannotSay> {
        entries.retain(|_, value| *value != default);
        if entries.len() > MAX_LENGTH {
            return Err(CannotSay::TooLarge("an array"));
        }
        let mut array = Array {
            domain,
            default,
            entries,
            extent: Extent::default(),
        };
        array.settle_default()?;
        array.extent = Extent::of(array.parts());
        array.bounded()
    }

    /// Makes the most frequent value the default where the index is finite.
    fn settle_default(&mut self) -> Result<(), CannotSay> {
        let values = match &self.domain {
            Domain::Infinite | Domain::Unknown => return Ok(()),
            Domain::Large(count) if (self.entries.len() as u64) < count / 2 => return Ok(()),
            Domain::Large(_) => return Err(CannotSay::TooLarge("an array over a finite index")),
            // Fewer entries than values without one: nothing is as frequent.
            Domain::Listed(values) if self.entries.len() * 2 < values.len() => return Ok(()),
            Domain::Listed(values) => Arc::clone(values),
        };
        let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
        for index in values.iter() {
            *counts.entry(self.select(index)).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let Some(default) = counts.into_iter().find(|(_, n)| *n == most) else {
            return Ok(());
        };
        let default = default.0.clone();
        let entries = values
            .iter()
            .map(|index| (index.clone(), self.select(index).clone()))
            .filter(|(_, value)| *value != default)
            .collect();
        self.entries = entries;
        self.default = default;
        Ok(())
    }

    /// The value at an index.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// False if the index cannot be of the index sort, as far as that shows.
    pub fn takes(&self, index: &Value) -> bool {
        let known = match &self.domain {
            Domain::Listed(values) => values.first(),
            _ => self.entries.keys().next(),
        };
        known.is_none_or(|known| known.same_kind(index))
    }

    /// The value at an index that may be none of the index sort.
    pub fn look_up(&self, index: &Value) -> Result<&Value, CannotSay> {
        match self.takes(index) {
            true => Ok(self.select(index)),
            false => Err(CannotSay::IllTyped("an index".to_string())),
        }
    }

    /// The array with one value changed.
    pub fn store(mut self, index: Value, value: Value) -> Result<Array, CannotSay> {
        if !self.takes(&index) || !self.default.same_kind(&value) {
            return Err(CannotSay::IllTyped("store".to_string()));
        }
        let (at, new) = (index.extent(), value.extent());
        match value == self.default {
            true => self.entries.remove(&index),
            false => self.entries.insert(index, value),
        };
        self.settle_default()?;
        // An upper bound: what was overwritten still counts.
        self.extent = Extent {
            depth: self.extent.depth.max(at.depth.max(new.depth) + 1),
            parts: self.extent.parts.saturating_add(at.parts + new.parts),
        };
        self.bounded()
    }

    fn bounded(self) -> Result<Array, CannotSay> {
        let extent = self.extent;
        match extent.depth > MAX_NESTING || extent.parts > 4 * MAX_LENGTH as u64 {
            true => Err(CannotSay::TooLarge("an array")),
            false => Ok(self),
        }
    }

    /// The value of all indices without an entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The exceptions from the default.
    pub fn entries(&self) -> &BTreeMap<Value, Value> {
        &self.entries
    }

    /// The index sort.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// See [`Value::extent`].
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Default, indices and values.
    pub fn parts(&self) -> impl Iterator<Item = &Value> {
        let entries = self
            .entries
            .iter()
            .flat_map(|(index, value)| [index, value]);
        std::iter::once(&self.default).chain(entries)
    }

    /// `f` at every index: of several arrays over the same index sort.
    pub fn map(
        arrays: &[&Array],
        mut f: impl FnMut(&[&Value]) -> Result<Value, CannotSay>,
    ) -> Result<Array, CannotSay> {
        let defaults: Vec<&Value> = arrays.iter().map(|array| &array.default).collect();
        let default = f(&defaults)?;
        let mut entries = BTreeMap::new();
        for array in arrays {
            for index in array.entries.keys() {
                if !entries.contains_key(index) {
                    let values: Vec<&Value> = arrays.iter().map(|a| a.select(index)).collect();
                    entries.insert(index.clone(), f(&values)?);
                }
            }
        }
        let domain = arrays
            .first()
            .map_or(Domain::Infinite, |array| array.domain.clone());
        Array::new(domain, default, entries)
    }

    /// The members of a set, if they are finitely many and can be listed.
    pub fn members(&self) -> Option<Vec<Value>> {
        let is_member = |value: &Value| *value == Value::Bool(true);
        match (&self.domain, is_member(&self.default)) {
            (_, false) => Some(self.entries.keys().cloned().collect()),
            (Domain::Listed(values), true) => {
                let inside = |index: &&Value| is_member(self.select(index));
                Some(values.iter().filter(inside).cloned().collect())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Int;

    fn int(n: i32) -> Value {
        Value::Int(Int::from(n))
    }

    fn array(domain: &Domain, default: i32, entries: &[(Value, i32)]) -> Array {
        let entries = entries.iter().map(|(i, v)| (i.clone(), int(*v)));
        Array::new(domain.clone(), int(default), entries.collect()).unwrap()
    }

    #[test]
    fn stores_that_change_nothing_are_not_seen() {
        let domain = Domain::Infinite;
        let a = array(&domain, 0, &[(int(1), 5)]);
        assert_eq!(a.clone().store(int(2), int(0)).unwrap(), a);
        assert_eq!(
            a.clone().store(int(1), int(0)).unwrap(),
            array(&domain, 0, &[])
        );
        assert_ne!(a, array(&domain, 1, &[(int(1), 5)]));
        assert_eq!(*a.select(&int(1)), int(5));
        assert_eq!(*a.select(&int(9)), int(0));
    }

    #[test]
    fn over_a_finite_index_the_default_does_not_matter() {
        let (f, t) = (Value::Bool(false), Value::Bool(true));
        let domain = Domain::Listed([f.clone(), t.clone()].into());
        let a = array(&domain, 7, &[(f.clone(), 1), (t.clone(), 1)]);
        assert_eq!(a, array(&domain, 1, &[]));
        let b = array(&domain, 1, &[(t.clone(), 2)]);
        let c = array(&domain, 2, &[(f.clone(), 1)]);
        assert_eq!(b, c);
        // Every way to write down each of the 27 arrays from three indices
        // to three values comes to the same form.
        let indices: Vec<Value> = (0..3).map(int).collect();
        let domain = Domain::Listed(indices.clone().into());
        for code in 0..27 {
            let values = [code % 3, code / 3 % 3, code / 9];
            let entries: Vec<(Value, i32)> = indices.iter().cloned().zip(values).collect();
            let forms: Vec<Array> = (0..3).map(|d| array(&domain, d, &entries)).collect();
            assert!(forms.windows(2).all(|pair| pair[0] == pair[1]), "{code}");
            for (index, value) in &entries {
                assert_eq!(*forms[0].select(index), int(*value));
            }
        }
    }

    #[test]
    fn a_large_finite_index_that_is_nearly_full_is_refused() {
        let domain = Domain::Large(8);
        let entries: BTreeMap<Value, Value> = (0..5).map(|i| (int(i), int(1))).collect();
        assert!(Array::new(domain, int(0), entries).is_err());
    }

    #[test]
    fn maps_are_pointwise() {
        let domain = Domain::Infinite;
        let a = array(&domain, 0, &[(int(1), 5)]);
        let b = array(&domain, 2, &[(int(1), 1), (int(3), 4)]);
        let sum = Array::map(&[&a, &b], |values| match values {
            [Value::Int(a), Value::Int(b)] => Ok(Value::Int(a + b)),
            _ => unreachable!("arrays of integers"),
        });
        assert_eq!(sum.unwrap(), array(&domain, 2, &[(int(1), 6), (int(3), 4)]));
    }
}
