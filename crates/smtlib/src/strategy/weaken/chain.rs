//! One step of a chain: a rule, a place where it applies, and the change.

use lydite_core::{Choices, Reject};

use super::make::Maker;
use super::matching::{Bindings, Matcher};
use super::parity::{NEGATIVE, POSITIVE, Parity, Places, Site};
use super::pattern::Pattern;
use super::rules::{Effect, Move, Rule, Rules};
use super::tactics::Looker;
use super::terms::Supply;
use crate::mutate::mutant::{Mutant, NodeId};
use crate::operators::Operators;

/// Larger terms are not copied by a rule that uses a metavariable twice.
const MAX_COPIED: usize = 120;

/// Where a chain goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Every script is implied by the one before it.
    Weaker,
    /// Every script implies the one before it.
    Stronger,
}

impl Direction {
    /// True if a change with this effect may be made at a place: the four
    /// cases of theorem 6.3.1.
    fn allows(self, effect: Effect, parity: Parity) -> bool {
        match (self, effect) {
            (_, Effect::Keeps) => true,
            (Direction::Weaker, Effect::Weakens) | (Direction::Stronger, Effect::Strengthens) => {
                parity == POSITIVE
            }
            (Direction::Weaker, Effect::Strengthens) | (Direction::Stronger, Effect::Weakens) => {
                parity == NEGATIVE
            }
        }
    }

    /// What a step is called: the effect on the whole, and the rule.
    fn step(self, rule: &Rule) -> String {
        let verb = match (rule.equivalence, self) {
            (true, _) => "rewrite",
            (_, Direction::Weaker) => "weaken",
            (_, Direction::Stronger) => "strengthen",
        };
        format!("{verb} by {}", rule.name)
    }
}

/// A script on its way, and what is known of its places.
pub(super) struct Chain<'a, 'd> {
    pub(super) mutant: Mutant<'d>,
    pub(super) rules: &'a Rules,
    pub(super) operators: &'a Operators,
    pub(super) supply: &'a Supply,
    pub(super) direction: Direction,
    pub(super) places: Places,
    /// The sites by head: `by_head[starts[h]..starts[h + 1]]`.
    by_head: Vec<Site>,
    starts: Vec<u32>,
    weights: Vec<u64>,
}

impl<'a, 'd> Chain<'a, 'd> {
    /// A chain that begins with a mutant.
    pub(super) fn new(
        mutant: Mutant<'d>,
        rules: &'a Rules,
        operators: &'a Operators,
        supply: &'a Supply,
        direction: Direction,
    ) -> Chain<'a, 'd> {
        Chain {
            mutant,
            rules,
            operators,
            supply,
            direction,
            places: Places::default(),
            by_head: Vec::new(),
            starts: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Finds the places of the mutant as it is now.
    pub(super) fn look(&mut self) {
        self.places
            .find(&self.mutant, self.rules, &self.supply.marks);
        let count = self.rules.heads.len();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        let headed = || {
            self.places
                .sites
                .iter()
                .filter_map(|site| Some((*site, site.head?)))
        };
        for (_, head) in headed() {
            self.starts[usize::from(head) + 1] += 1;
        }
        for head in 0..count {
            self.starts[head + 1] += self.starts[head];
        }
        let mut next = self.starts.clone();
        self.by_head.clear();
        self.by_head.extend(headed().map(|(site, _)| site));
        // A counting sort: stable, without comparisons.
        for (site, head) in headed() {
            let at = &mut next[usize::from(head)];
            self.by_head[*at as usize] = site;
            *at += 1;
        }
    }

    /// The sites at which a move may apply, as far as heads tell.
    pub(super) fn sites(&self, one: &Move) -> &[Site] {
        match one.head {
            None => &self.places.sites,
            Some(head) => &self.by_head[self.starts[head] as usize..self.starts[head + 1] as usize],
        }
    }

    /// Takes one step; returns its name, or none if no rule applies anywhere.
    pub(super) fn step(&mut self, choices: &mut Choices) -> Result<Option<String>, Reject> {
        self.look();
        let rules = self.rules;
        self.weights.clear();
        for one in &rules.moves {
            let weight = if self.sites(one).is_empty() {
                0
            } else {
                one.weight
            };
            self.weights.push(weight);
        }
        loop {
            if self.weights.iter().all(|&weight| weight == 0) {
                return Ok(None);
            }
            let at = choices.weighted(&self.weights)?;
            let one = &rules.moves[at];
            if self.apply_somewhere(one, choices)? {
                return Ok(Some(self.direction.step(&rules.rules[one.rule])));
            }
            self.weights[at] = 0;
        }
    }

    /// Applies a move at the first place that takes it, from a random one on.
    fn apply_somewhere(&mut self, one: &Move, choices: &mut Choices) -> Result<bool, Reject> {
        let count = self.sites(one).len();
        let start = choices.index(count)?;
        for at in (start..count).chain(0..start) {
            let site = self.sites(one)[at];
            let ways = self.ways(one, site);
            if ways.is_empty() {
                continue;
            }
            let bindings = *choices.pick(&ways)?;
            if self.apply(one, site.node, bindings, choices)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The ways in which a move can be made at a site.
    pub(super) fn ways(&self, one: &Move, site: Site) -> Vec<Bindings> {
        if !self.direction.allows(one.effect, site.parity) {
            return Vec::new();
        }
        let rule = &self.rules.rules[one.rule];
        let matcher = Matcher {
            mutant: &self.mutant,
            heads: &self.rules.heads,
            variables: &rule.variables,
        };
        if let Some(tactic) = rule.tactic {
            let looker = Looker {
                mutant: &self.mutant,
                places: &self.places,
            };
            return match tactic.may_change(&looker, site.node) {
                true => vec![Bindings::none()],
                false => Vec::new(),
            };
        }
        let mut ways = matcher.ways(from(rule, one), site.node);
        ways.retain(|bindings| self.small_enough(one, bindings));
        ways
    }

    /// True if nothing large is copied.
    fn small_enough(&self, one: &Move, bindings: &Bindings) -> bool {
        let nodes = bindings.nodes.iter().enumerate();
        let mut copied = nodes.filter(|(at, _)| one.copied & 1 << at != 0);
        copied.all(|(_, node)| node.is_none_or(|node| self.places.size(node) <= MAX_COPIED))
            && (one.copied == 0
                || bindings
                    .quantifier
                    .is_none_or(|node| self.places.size(node) <= MAX_COPIED))
    }

    /// Makes a move. False if it needs a term that the script does not have.
    pub(super) fn apply(
        &mut self,
        one: &Move,
        node: NodeId,
        bindings: Bindings,
        choices: &mut Choices,
    ) -> Result<bool, Reject> {
        let rule = &self.rules.rules[one.rule];
        let Some(slot) = self.mutant.slot(node) else {
            return Ok(false);
        };
        let mut maker = Maker::new(
            &mut self.mutant, choices, self.operators, self.supply, rule, bindings, node,
        );
        let made = match rule.tactic {
            Some(tactic) => maker.tactic(tactic, node, &self.places)?,
            None => {
                let to = if one.backward {
                    &rule.left
                } else {
                    &rule.right
                };
                if !maker.complete(to)? {
                    return Ok(false);
                }
                let made = maker.make(to);
                // Half a change cannot be taken back.
                Some(made.ok_or(Reject::NotApplicable("a rule could not be carried out"))?)
            }
        };
        if let Some(made) = made {
            self.mutant.put(slot, made);
        }
        Ok(made.is_some())
    }
}

fn from<'r>(rule: &'r Rule, one: &Move) -> &'r Pattern {
    if one.backward {
        &rule.right
    } else {
        &rule.left
    }
}
