//! Which declaration a name means at a place.

use std::collections::BTreeMap;
use std::ops::Range;

/// A stretch of the program in which declarations hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The range of the text that it spans.
    pub range: Range<usize>,
    /// The scope around it.
    pub parent: Option<usize>,
    /// True for a function.
    pub function: bool,
    /// How many scopes are around it.
    pub depth: usize,
}

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Variable(usize),
    /// A type: no hole takes it.
    Type,
    /// Something else that no hole takes.
    Other,
}

/// All declarations.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    numbers: BTreeMap<Vec<u8>, u32>,
    /// By scope and name: from where on it means what.
    declared: BTreeMap<(usize, u32), Vec<(usize, Meaning)>>,
}

impl Names {
    pub(super) fn declare(&mut self, scope: usize, name: &[u8], from: usize, meaning: Meaning) {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(name.to_vec()).or_insert(next);
        let all = self.declared.entry((scope, number)).or_default();
        let place = all.partition_point(|(other, _)| *other <= from);
        all.insert(place, (from, meaning));
    }

    /// What `name` means at a place in `scope`.
    pub(super) fn resolve(
        &self,
        scopes: &[Scope],
        scope: usize,
        name: &[u8],
        at: usize,
    ) -> Option<Meaning> {
        let number = *self.numbers.get(name)?;
        let mut around = Some(scope);
        while let Some(scope) = around {
            if let Some(all) = self.declared.get(&(scope, number)) {
                let seen = all.partition_point(|(from, _)| *from <= at);
                if let Some((_, meaning)) = seen.checked_sub(1).map(|last| all[last]) {
                    return Some(meaning);
                }
            }
            around = scopes[scope].parent;
        }
        None
    }

    /// The variable of that name that was declared in exactly this scope.
    pub(super) fn in_scope(&self, scope: usize, name: &[u8]) -> Option<usize> {
        let number = *self.numbers.get(name)?;
        let all = self.declared.get(&(scope, number))?;
        all.iter().find_map(|(_, meaning)| match meaning {
            Meaning::Variable(variable) => Some(*variable),
            Meaning::Type | Meaning::Other => None,
        })
    }

    /// All names, with the scopes that declare them.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let mut texts: Vec<&[u8]> = vec![&[]; self.numbers.len()];
        for (text, &number) in &self.numbers {
            texts[number as usize] = text;
        }
        self.declared
            .keys()
            .map(move |&(scope, number)| (scope, texts[number as usize]))
    }
}
