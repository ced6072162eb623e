//! Persistent ordered maps: weight-balanced trees with shared parts.

use std::cmp::Ordering;
use std::rc::Rc;

use super::value::{Extent, Value};

/// A map from values to values; a set is one to [`Value::Absent`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Map(Option<Rc<Node>>);

#[derive(Debug)]
struct Node {
    key: Value,
    value: Value,
    left: Map,
    right: Map,
    size: u32,
    /// Of all entries from here on.
    extent: Extent,
}

/// A subtree may be this many times as heavy as its sibling.
const DELTA: u32 = 3;
/// A single rotation is enough below this ratio.
const GAMMA: u32 = 2;

impl Map {
    pub(crate) fn len(&self) -> u32 {
        self.0.as_ref().map_or(0, |node| node.size)
    }

    pub(crate) fn extent(&self) -> Extent {
        let node = self.0.as_ref();
        node.map_or(Extent::default(), |node| node.extent)
    }

    pub(crate) fn is_same(&self, other: &Map) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    pub(crate) fn get(&self, key: &Value) -> Option<&Value> {
        let mut at = self;
        while let Some(node) = &at.0 {
            at = match key.cmp(&node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.value),
            };
        }
        None
    }

    pub(crate) fn insert(&self, key: &Value, value: &Value) -> Map {
        let Some(node) = &self.0 else {
            return join(Map(None), key.clone(), value.clone(), Map(None));
        };
        let (k, v) = (node.key.clone(), node.value.clone());
        match key.cmp(&node.key) {
            Ordering::Less => balance(node.left.insert(key, value), k, v, node.right.clone()),
            Ordering::Greater => balance(node.left.clone(), k, v, node.right.insert(key, value)),
            Ordering::Equal => join(node.left.clone(), k, value.clone(), node.right.clone()),
        }
    }

    pub(crate) fn remove(&self, key: &Value) -> Map {
        let Some(node) = &self.0 else {
            return Map(None);
        };
        let (k, v) = (node.key.clone(), node.value.clone());
        match key.cmp(&node.key) {
            Ordering::Less => balance(node.left.remove(key), k, v, node.right.clone()),
            Ordering::Greater => balance(node.left.clone(), k, v, node.right.remove(key)),
            Ordering::Equal => match node.right.first() {
                None => node.left.clone(),
                Some((k, v)) => {
                    let (k, v) = (k.clone(), v.clone());
                    balance(node.left.clone(), k, v, node.right.without_first())
                }
            },
        }
    }

    fn first(&self) -> Option<(&Value, &Value)> {
        let mut node = self.0.as_ref()?;
        while let Some(left) = &node.left.0 {
            node = left;
        }
        Some((&node.key, &node.value))
    }

    fn without_first(&self) -> Map {
        match &self.0 {
            None => Map(None),
            Some(node) if node.left.0.is_none() => node.right.clone(),
            Some(node) => balance(
                node.left.without_first(),
                node.key.clone(),
                node.value.clone(),
                node.right.clone(),
            ),
        }
    }

    /// Entries in the order of their keys.
    pub(crate) fn iter(&self) -> Iter<'_> {
        let mut iter = Iter { path: Vec::new() };
        iter.descend(self);
        iter
    }
}

/// See [`Map::iter`].
pub(crate) struct Iter<'a> {
    path: Vec<&'a Node>,
}

impl<'a> Iter<'a> {
    fn descend(&mut self, mut map: &'a Map) {
        while let Some(node) = &map.0 {
            self.path.push(node);
            map = &node.left;
        }
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Value, &'a Value);

    fn next(&mut self) -> Option<(&'a Value, &'a Value)> {
        let node = self.path.pop()?;
        self.descend(&node.right);
        Some((&node.key, &node.value))
    }
}

fn join(left: Map, key: Value, value: Value, right: Map) -> Map {
    let size = left.len() + right.len() + 1;
    let entry = key.extent().and(value.extent()).inside_one();
    let extent = entry.and(left.extent()).and(right.extent());
    Map(Some(Rc::new(Node {
        key,
        value,
        left,
        right,
        size,
        extent,
    })))
}

/// Joins two trees of which one may be one entry too heavy or too light.
fn balance(left: Map, key: Value, value: Value, right: Map) -> Map {
    let (l, r) = (left.len() + 1, right.len() + 1);
    if r > DELTA * l
        && let Some(node) = &right.0
    {
        let (k, v) = (node.key.clone(), node.value.clone());
        if node.left.len() + 1 < GAMMA * (node.right.len() + 1) {
            let inner = join(left, key, value, node.left.clone());
            return join(inner, k, v, node.right.clone());
        }
        if let Some(middle) = &node.left.0 {
            let inner = join(left, key, value, middle.left.clone());
            let outer = join(middle.right.clone(), k, v, node.right.clone());
            return join(inner, middle.key.clone(), middle.value.clone(), outer);
        }
    }
    if l > DELTA * r
        && let Some(node) = &left.0
    {
        let (k, v) = (node.key.clone(), node.value.clone());
        if node.right.len() + 1 < GAMMA * (node.left.len() + 1) {
            let inner = join(node.right.clone(), key, value, right);
            return join(node.left.clone(), k, v, inner);
        }
        if let Some(middle) = &node.right.0 {
            let inner = join(node.left.clone(), k, v, middle.left.clone());
            let outer = join(middle.right.clone(), key, value, right);
            return join(inner, middle.key.clone(), middle.value.clone(), outer);
        }
    }
    join(left, key, value, right)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lydite_core::Choices;

    use super::*;

    fn check(map: &Map) -> u32 {
        let Some(node) = &map.0 else { return 0 };
        let (l, r) = (check(&node.left), check(&node.right));
        assert!(l + r < 2 || l < DELTA * (r + 1) + 1 && r < DELTA * (l + 1) + 1);
        assert_eq!(node.size, l + r + 1);
        node.size
    }

    #[test]
    fn it_does_what_a_tree_map_does_and_stays_balanced() {
        let mut choices = Choices::seeded(0, 0);
        let (mut map, mut model) = (Map::default(), BTreeMap::new());
        let mut old = Vec::new();
        for step in 0..4000i64 {
            let key = choices.below(300).unwrap() as i64;
            if choices.chance(2, 3).unwrap() {
                map = map.insert(&Value::Int(key), &Value::Int(step));
                model.insert(key, step);
            } else {
                map = map.remove(&Value::Int(key));
                model.remove(&key);
            }
            if step % 500 == 0 {
                old.push((map.clone(), model.clone()));
            }
            check(&map);
        }
        old.push((map, model));
        for (map, model) in old {
            let entries: Vec<(i64, i64)> = map
                .iter()
                .map(|(k, v)| match (k, v) {
                    (Value::Int(k), Value::Int(v)) => (*k, *v),
                    _ => unreachable!("only numbers were put in"),
                })
                .collect();
            assert_eq!(entries, model.clone().into_iter().collect::<Vec<_>>());
            for key in 0..300 {
                assert_eq!(
                    map.get(&Value::Int(key)).is_some(),
                    model.contains_key(&key)
                );
            }
        }
    }
}
