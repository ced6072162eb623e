//! The fusion functions of a space, each made for a pair of sorts when it is
//! first wanted.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use lydite_core::Obligation;

use super::instance::Instance;
use super::table::{self, Block};
use super::verify;
use crate::operators::{Operators, TableError};

/// The table that ships with the crate.
pub(super) const BUILT_IN: &str = include_str!("functions.txt");

/// What fuses variables of two sorts.
#[derive(Debug, Default)]
pub(super) struct Fitting {
    /// First those that are good for every claim.
    pub(super) instances: Vec<Instance>,
    /// How many are.
    pub(super) exact: usize,
}

/// For sorts of x and y what fuses them.
type Made = BTreeMap<String, BTreeMap<String, Arc<Fitting>>>;

/// All fusion functions.
pub(super) struct Functions {
    blocks: Vec<Block>,
    operators: Operators,
    made: RwLock<Made>,
}

impl Functions {
    /// The built-in table and a user's blocks, which are verified.
    pub(super) fn new(own: Option<&str>, operators: &Operators) -> Result<Functions, TableError> {
        let mut blocks = table::read(BUILT_IN)?;
        if let Some(text) = own {
            let own = table::read(text)?;
            for block in &own {
                verify::verify(block, operators)?;
            }
            blocks.extend(own);
        }
        Ok(Functions {
            blocks,
            operators: operators.clone(),
            made: RwLock::new(Made::new()),
        })
    }

    /// Keeps those that have one of these operators, which commas separate;
    /// false if there are none.
    pub(super) fn keep(&mut self, operators: &str) -> bool {
        let wanted: Vec<&str> = operators.split(',').map(str::trim).collect();
        let has = |block: &Block| table::tokens(&block.fusion).any(|word| wanted.contains(&word));
        self.blocks.retain(has);
        !self.blocks.is_empty()
    }

    /// What fuses an x and a y of these sorts.
    pub(super) fn fitting(&self, x: &str, y: &str) -> Arc<Fitting> {
        {
            // What is in the map is whole, also if a thread died beside it.
            let made = self.made.read().unwrap_or_else(|dead| dead.into_inner());
            if let Some(fitting) = made.get(x).and_then(|of_x| of_x.get(y)) {
                return Arc::clone(fitting);
            }
        }
        let fitting = Arc::new(self.make(x, y));
        let mut made = self.made.write().unwrap_or_else(|dead| dead.into_inner());
        let of_x = made.entry(x.to_string()).or_default();
        Arc::clone(of_x.entry(y.to_string()).or_insert(fitting))
    }

    fn make(&self, x: &str, y: &str) -> Fitting {
        let of = |block: &Block| Instance::new(block, x, y, &self.operators);
        let made: Vec<Instance> = self.blocks.iter().filter_map(of).collect();
        let exact = |instance: &Instance| instance.conditions.is_empty();
        let (mut instances, conditional): (Vec<_>, Vec<_>) = made.into_iter().partition(exact);
        let exact = instances.len();
        instances.extend(conditional);
        Fitting { instances, exact }
    }
}

/// What a solver has to refute so that the blocks of a table are right: see
/// [`Obligation`]. The built-in table if none is given.
pub(super) fn obligations(table: Option<&str>) -> Result<Vec<Obligation>, TableError> {
    let operators = Operators::built_in();
    let blocks = table::read(table.unwrap_or(BUILT_IN))?;
    let of = |block: &Block| verify::obligations(block, operators);
    Ok(blocks.iter().flat_map(of).collect())
}
