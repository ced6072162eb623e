//! Values.

use std::cmp::Ordering;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use dashu_int::IBig;
use dashu_int::ops::BitTest;

use super::map::Map;

/// A value of a spec function or attribute. Values that meet have the same
/// type: the checker has seen to that.
#[derive(Debug)]
pub(crate) enum Value {
    /// An attribute that was not computed yet.
    Absent,
    Int(i64),
    /// A number that may be too large for 64 bits.
    Wide(Rc<IBig>),
    Bool(bool),
    Text(u32),
    /// A variant without fields.
    Tag(u32),
    /// A variant with fields, a record or a tuple (tag 0).
    Data(Rc<Data>),
    List(Rc<List>),
    Map(Map),
    Set(Map),
}

impl Clone for Value {
    /// Most values are small; those that are shared have a path of their own.
    #[inline]
    fn clone(&self) -> Value {
        match self {
            Value::Absent => Value::Absent,
            Value::Int(number) => Value::Int(*number),
            Value::Wide(number) => Value::Wide(number.clone()),
            Value::Bool(truth) => Value::Bool(*truth),
            Value::Text(text) => Value::Text(*text),
            Value::Tag(tag) => Value::Tag(*tag),
            Value::Data(data) => Value::Data(data.clone()),
            Value::List(list) => Value::List(list.clone()),
            Value::Map(map) => Value::Map(map.clone()),
            Value::Set(map) => Value::Set(map.clone()),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Data {
    pub tag: u32,
    extent: Extent,
    pub fields: Fields,
}

/// The fields of a variant, record or tuple: few of them need no room of their own.
#[derive(Clone, Debug)]
pub(crate) enum Fields {
    One([Value; 1]),
    Two([Value; 2]),
    Three([Value; 3]),
    More(Box<[Value]>),
}

impl FromIterator<Value> for Fields {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Fields {
        let mut values = values.into_iter();
        let Some(first) = values.next() else {
            return Fields::More(Box::default());
        };
        let Some(second) = values.next() else {
            return Fields::One([first]);
        };
        let Some(third) = values.next() else {
            return Fields::Two([first, second]);
        };
        match values.next() {
            None => Fields::Three([first, second, third]),
            Some(fourth) => {
                let begin = [first, second, third, fourth];
                Fields::More(begin.into_iter().chain(values).collect())
            }
        }
    }
}

impl Deref for Fields {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        match self {
            Fields::One(fields) => fields,
            Fields::Two(fields) => fields,
            Fields::Three(fields) => fields,
            Fields::More(fields) => fields,
        }
    }
}

impl DerefMut for Fields {
    fn deref_mut(&mut self) -> &mut [Value] {
        match self {
            Fields::One(fields) => fields,
            Fields::Two(fields) => fields,
            Fields::Three(fields) => fields,
            Fields::More(fields) => fields,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    extent: Extent,
    pub items: Vec<Value>,
}

/// How deep values nest in a value, and how many there are. One that is shared
/// counts wherever it stands: comparing and printing meet it there again.
///
/// Both are in one word, the depth in its last ten bits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent(u32);

const DEPTH_BITS: u32 = 10;
/// Values may nest so deep: comparing and dropping them uses the stack.
const MAX_DEPTH: u32 = 1000;
/// Values have fewer parts than this.
const MAX_PARTS: u32 = u32::MAX >> DEPTH_BITS;

impl Extent {
    const LEAF: Extent = Extent::new(0, 1);

    const fn new(depth: u32, parts: u32) -> Extent {
        let most = (1 << DEPTH_BITS) - 1;
        let depth = if depth < most { depth } else { most };
        let parts = if parts < MAX_PARTS { parts } else { MAX_PARTS };
        Extent(parts << DEPTH_BITS | depth)
    }

    fn depth(self) -> u32 {
        self.0 & ((1 << DEPTH_BITS) - 1)
    }

    pub(crate) fn parts(self) -> u32 {
        self.0 >> DEPTH_BITS
    }

    /// Of two values side by side.
    pub(crate) fn and(self, other: Extent) -> Extent {
        let depth = self.depth().max(other.depth());
        Extent::new(depth, self.parts() + other.parts())
    }

    /// Of a value that holds what has this extent.
    pub(crate) fn inside_one(self) -> Extent {
        Extent::new(self.depth() + 1, self.parts() + 1)
    }

    fn of_all(values: &[Value]) -> Extent {
        let all = values.iter().map(Value::extent);
        all.fold(Extent::default(), Extent::and)
    }

    fn is_allowed(self) -> bool {
        self.depth() <= MAX_DEPTH && self.parts() < MAX_PARTS
    }
}

impl Value {
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Value::Absent)
    }

    pub(crate) fn extent(&self) -> Extent {
        match self {
            Value::Data(data) => data.extent,
            Value::List(list) => list.extent,
            Value::Map(map) | Value::Set(map) => map.extent(),
            _ => Extent::LEAF,
        }
    }

    /// `None` if values would nest too deep, or be too many.
    pub(crate) fn data(tag: u32, fields: Fields) -> Option<Value> {
        let extent = Extent::of_all(&fields).inside_one();
        let data = || {
            Value::Data(Rc::new(Data {
                tag,
                extent,
                fields,
            }))
        };
        extent.is_allowed().then(data)
    }

    /// A record with another field; as [`Value::data`]. One that nobody else has is
    /// changed where it is.
    pub(crate) fn with(mut data: Rc<Data>, field: u32, value: Value) -> Option<Value> {
        let Some(own) = Rc::get_mut(&mut data) else {
            let mut fields = data.fields.clone();
            fields[field as usize] = value;
            return Value::data(data.tag, fields);
        };
        own.fields[field as usize] = value;
        own.extent = Extent::of_all(&own.fields).inside_one();
        let allowed = own.extent.is_allowed();
        allowed.then_some(Value::Data(data))
    }

    /// As [`Value::data`].
    pub(crate) fn list(items: Vec<Value>) -> Option<Value> {
        let extent = Extent::of_all(&items).inside_one();
        let list = || Value::List(Rc::new(List { extent, items }));
        extent.is_allowed().then(list)
    }

    /// A map of which the entries were just put in; as [`Value::data`].
    pub(crate) fn map(map: Map) -> Option<Value> {
        map.extent().is_allowed().then_some(Value::Map(map))
    }

    /// As [`Value::map`].
    pub(crate) fn set(map: Map) -> Option<Value> {
        map.extent().is_allowed().then_some(Value::Set(map))
    }

    /// The tag of a variant.
    pub(crate) fn tag(&self) -> u32 {
        match self {
            Value::Tag(tag) => *tag,
            Value::Data(data) => data.tag,
            _ => u32::MAX,
        }
    }

    /// True if they are surely equal: the same number, or the same thing in
    /// memory. Never true of what differs.
    pub(crate) fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Text(a), Value::Text(b)) | (Value::Tag(a), Value::Tag(b)) => a == b,
            (Value::Wide(a), Value::Wide(b)) => Rc::ptr_eq(a, b),
            (Value::Data(a), Value::Data(b)) => Rc::ptr_eq(a, b),
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
            (Value::Map(a), Value::Map(b)) | (Value::Set(a), Value::Set(b)) => a.is_same(b),
            _ => false,
        }
    }

    /// What is cheap to know of it, mixed: equal for values that are the same.
    pub(crate) fn digest(&self) -> u32 {
        match self {
            Value::Int(number) => *number as u32,
            Value::Bool(value) => u32::from(*value),
            Value::Text(text) => *text,
            Value::Tag(tag) => *tag,
            Value::Data(data) => data.tag,
            Value::List(list) => list.items.len() as u32,
            Value::Map(map) | Value::Set(map) => map.len(),
            Value::Wide(number) => number.bit_len() as u32,
            Value::Absent => 0,
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Value::Absent => 0,
            Value::Int(_) => 1,
            Value::Bool(_) => 2,
            Value::Text(_) => 3,
            Value::Tag(_) | Value::Data(_) => 4,
            Value::List(_) => 5,
            Value::Map(_) => 6,
            Value::Set(_) => 7,
            Value::Wide(_) => 8,
        }
    }
}

impl List {
    /// False if values would nest too deep, or be too many.
    pub(crate) fn push(&mut self, value: Value) -> bool {
        let inner = value.extent();
        let depth = self.extent.depth().max(inner.depth() + 1);
        self.extent = Extent::new(depth, self.extent.parts() + inner.parts());
        self.items.push(value);
        self.extent.is_allowed()
    }
}

impl Ord for Value {
    /// Numbers by size, texts by when they came to be, variants in the order
    /// of their type, the rest part by part.
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Wide(a), Value::Wide(b)) => a.cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Tag(a), Value::Tag(b)) => a.cmp(b),
            (Value::Data(a), Value::Data(b)) => match Rc::ptr_eq(a, b) {
                true => Ordering::Equal,
                false => a.tag.cmp(&b.tag).then_with(|| a.fields.cmp(&b.fields)),
            },
            (Value::Tag(_) | Value::Data(_), Value::Tag(_) | Value::Data(_)) => {
                self.tag().cmp(&other.tag())
            }
            (Value::List(a), Value::List(b)) => match Rc::ptr_eq(a, b) {
                true => Ordering::Equal,
                false => a.items.cmp(&b.items),
            },
            (Value::Map(a), Value::Map(b)) | (Value::Set(a), Value::Set(b)) => match a.is_same(b) {
                true => Ordering::Equal,
                false => a.iter().cmp(b.iter()),
            },
            _ => self.kind().cmp(&other.kind()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}
