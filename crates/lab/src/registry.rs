//! The languages, strategies and oracles that a program was built with.
//! The lab names none of them; the command line fills this in.

use std::sync::Arc;

use anyhow::{Result, bail};
use lydite_core::nearest::nearest;
use lydite_core::{Language, Oracle, Strategy};

/// The languages, strategies and oracles, which are found by their names.
#[derive(Default)]
pub struct Registry {
    /// All languages.
    pub languages: Vec<Arc<dyn Language>>,
    /// All strategies.
    pub strategies: Vec<Arc<dyn Strategy>>,
    /// All oracles.
    pub oracles: Vec<Arc<dyn Oracle>>,
}

impl Registry {
    /// The language of that name.
    pub fn language(&self, name: &str) -> Result<Arc<dyn Language>> {
        find("language", name, &self.languages, |language| {
            language.name()
        })
    }

    /// The strategy of that name.
    pub fn strategy(&self, name: &str) -> Result<Arc<dyn Strategy>> {
        find("strategy", name, &self.strategies, |strategy| {
            strategy.name()
        })
    }

    /// The oracle of that name.
    pub fn oracle(&self, name: &str) -> Result<Arc<dyn Oracle>> {
        find("oracle", name, &self.oracles, |oracle| oracle.name())
    }

    /// The oracles of these names, and those that have to judge beside them
    /// ([`Oracle::beside`]).
    pub fn oracles_named(&self, names: &[String]) -> Result<Vec<Arc<dyn Oracle>>> {
        let named = names.iter().map(|name| self.oracle(name));
        let mut oracles: Vec<Arc<dyn Oracle>> = named.collect::<Result<_>>()?;
        let beside: Vec<&str> = oracles
            .iter()
            .flat_map(|oracle| oracle.beside())
            .copied()
            .collect();
        for name in beside {
            let further = self.oracles.iter().find(|oracle| oracle.name() == name);
            if let Some(further) = further.filter(|_| !oracles.iter().any(|one| one.name() == name))
            {
                oracles.push(Arc::clone(further));
            }
        }
        Ok(oracles)
    }

    /// The oracles that judge where nobody names any.
    pub fn unasked_oracles(&self) -> Vec<Arc<dyn Oracle>> {
        let unasked = |oracle: &&Arc<dyn Oracle>| !oracle.only_if_named();
        self.oracles.iter().filter(unasked).cloned().collect()
    }
}

fn find<T: ?Sized>(
    what: &str,
    name: &str,
    known: &[Arc<T>],
    name_of: impl Fn(&T) -> &str,
) -> Result<Arc<T>> {
    if let Some(found) = known.iter().find(|item| name_of(item) == name) {
        return Ok(found.clone());
    }
    let names: Vec<&str> = known.iter().map(|item| name_of(item)).collect();
    match nearest(name, names.iter().copied()) {
        Some(near) => bail!("{what} `{name}` is not known; did you mean `{near}`?"),
        None => bail!("{what} `{name}` is not known (known: {})", names.join(", ")),
    }
}
