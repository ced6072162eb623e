//! Steps that change an operator to another of a conforming type (algorithm 4
//! of the thesis): what strategy `operators` is made of, and chains of `typed`
//! may have too.

use std::sync::OnceLock;

use lydite_core::{Choices, Reject};

use super::mutant::{Mutant, NodeId};
use super::repertoire::Repertoire;
use super::sites::{SharedClasses, Site, Sites};
use crate::operators::Operators;

const NOTHING_TO_CHANGE: Reject = Reject::NotApplicable("the seed has no operator to change");

/// Where the operators of each seed can be changed.
pub(crate) struct Swaps {
    shared: SharedClasses,
    /// For each seed, when it is first wanted.
    sites: Vec<OnceLock<Sites>>,
    constants: bool,
    among_others: bool,
}

impl Swaps {
    /// For so many seeds; constants are changed too if `constants` says so.
    pub(crate) fn new(seeds: usize, constants: bool) -> Swaps {
        Swaps {
            shared: SharedClasses::default(),
            sites: (0..seeds).map(|_| OnceLock::new()).collect(),
            constants,
            among_others: false,
        }
    }

    /// For chains that go on with steps of another kind: nothing is put in
    /// that the next step might spoil, as what wants literals, and functions
    /// of the script, which are not known everywhere.
    pub(crate) fn among_others(seeds: usize) -> Swaps {
        Swaps {
            among_others: true,
            ..Swaps::new(seeds, false)
        }
    }

    /// One step on a mutant of seed `seed`, and what it did.
    pub(crate) fn step(
        &self,
        choices: &mut Choices,
        seed: usize,
        (operators, repertoire): (&Operators, &Repertoire),
        mutant: &mut Mutant<'_>,
    ) -> Result<String, Reject> {
        let original = mutant.original();
        let find = || Sites::find(original, operators, repertoire, &self.shared);
        let sites = self.sites[seed].get_or_init(find);
        let site = self.site(choices, sites)?;
        let (node, command) = (NodeId::from(site.term), original.command(site.term));
        let [table, own] = sites.candidates(site);
        let own = if self.among_others { &[] } else { own };
        let count = table.len() + own.len();
        if count == 0 {
            return Err(NOTHING_TO_CHANGE);
        }
        let start = choices.index(count)?;
        let candidate = |at: usize| table.get(at).unwrap_or_else(|| &own[at - table.len()]);
        let free = |operator: Option<_>| {
            !self.among_others || operator.is_none_or(|id| !repertoire.wants_literals(id))
        };
        // All but the present operator and functions that are not declared
        // here can be taken: the next one if this is not one of them.
        let candidate = (start..count)
            .chain(0..start)
            .map(candidate)
            .find(|candidate| free(candidate.operator) && candidate.changes(mutant, node, command))
            .ok_or(NOTHING_TO_CHANGE)?;
        let step = format!("{} to {}", mutant.head(node), candidate.head);
        mutant.set_head(node, &candidate.head, candidate.operator);
        Ok(step)
    }

    fn site(&self, choices: &mut Choices, sites: &Sites) -> Result<Site, Reject> {
        let constants = match self.constants {
            true => &sites.constants[..],
            false => &[],
        };
        let from = match (sites.applied.is_empty(), constants.is_empty()) {
            (true, true) => return Err(NOTHING_TO_CHANGE),
            (false, true) => &sites.applied,
            (true, false) => constants,
            (false, false) if choices.chance(1, 8)? => constants,
            (false, false) => &sites.applied,
        };
        Ok(*choices.pick(from)?)
    }
}
