//! Grammars that cannot be enumerated are refused, and the rule is named.
//!
//! A production counts one towards the size, so there are finitely many
//! derivations of each size whatever the grammar says. But a rule that
//! derives itself without adding any text would give every text again at
//! ever larger sizes, infinitely often: that is refused too. White space
//! does not count as text here.

use super::error::{GrammarError, Position};
use super::expand::Positions;
use crate::grammar::{Grammar, Production, as_range, dependencies_first};

pub(super) fn examine(grammar: &Grammar, positions: &Positions) -> Result<(), GrammarError> {
    let rule_error = |rule: usize, problem: &str| {
        let name = &grammar.rules[rule].name;
        let at: Position = positions.rules[rule];
        Err(GrammarError::new(at, format!("rule `{name}` {problem}")))
    };
    for (number, rule) in grammar.rules.iter().enumerate() {
        if rule.productions.is_empty() {
            return rule_error(number, "has no alternative with these parameters");
        }
    }
    if let Some(rule) = missing(&reachable(grammar)) {
        return rule_error(rule, "cannot be reached from `start`");
    }
    let ending = closure(grammar, |_| true);
    if ending.contains(&false) {
        // A rule that only leads to others which never end is not at fault:
        // one that leads to itself is.
        let rule = never_ending(grammar, &ending);
        let problem = match ending[grammar.start as usize] {
            true => "never ends: each alternative leads back to it",
            false => "never ends: each alternative leads back to it, so there is no program",
        };
        return rule_error(rule, problem);
    }
    if let Some(rule) = idle_cycle(grammar) {
        return rule_error(
            rule,
            "derives itself without adding any text: every text would come infinitely often",
        );
    }
    Ok(())
}

fn missing(found: &[bool]) -> Option<usize> {
    found.iter().position(|found| !found)
}

fn reachable(grammar: &Grammar) -> Vec<bool> {
    let mut found = vec![false; grammar.rules.len()];
    found[grammar.start as usize] = true;
    let mut open = vec![grammar.start];
    while let Some(rule) = open.pop() {
        let rule = &grammar.rules[rule as usize];
        for production in &grammar.productions[as_range(&rule.productions)] {
            for &symbol in &production.symbols {
                if !std::mem::replace(&mut found[symbol as usize], true) {
                    open.push(symbol);
                }
            }
        }
    }
    found
}

/// The least set of rules with a production that passes `allowed` and all of
/// whose symbols are in the set.
fn closure(grammar: &Grammar, allowed: impl Fn(&Production) -> bool) -> Vec<bool> {
    let mut found = vec![false; grammar.rules.len()];
    let mut waiting: Vec<usize> = Vec::with_capacity(grammar.productions.len());
    let mut uses: Vec<Vec<usize>> = vec![Vec::new(); grammar.rules.len()];
    let mut open = Vec::new();
    for (number, production) in grammar.productions.iter().enumerate() {
        waiting.push(production.symbols.len());
        if !allowed(production) {
            continue;
        }
        for &symbol in &production.symbols {
            uses[symbol as usize].push(number);
        }
        if production.symbols.is_empty() {
            open.push(production.rule);
        }
    }
    while let Some(rule) = open.pop() {
        if std::mem::replace(&mut found[rule as usize], true) {
            continue;
        }
        for &number in &uses[rule as usize] {
            waiting[number] -= 1;
            if waiting[number] == 0 {
                open.push(grammar.productions[number].rule);
            }
        }
    }
    found
}

fn blank(production: &Production) -> bool {
    production.texts.iter().all(|text| text.trim().is_empty())
}

/// A rule on a cycle of rules that never end.
fn never_ending(grammar: &Grammar, ending: &[bool]) -> usize {
    let edges = grammar.rules.iter().enumerate().map(|(number, rule)| {
        if ending[number] {
            return Vec::new();
        }
        let productions = &grammar.productions[as_range(&rule.productions)];
        let symbols = productions
            .iter()
            .flat_map(|production| &production.symbols);
        symbols.copied().filter(|&s| !ending[s as usize]).collect()
    });
    let rule = dependencies_first(&edges.collect::<Vec<_>>());
    rule.err().unwrap_or(grammar.start) as usize
}

/// A rule that derives itself alone.
fn idle_cycle(grammar: &Grammar) -> Option<usize> {
    let empty = closure(grammar, blank);
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); grammar.rules.len()];
    for production in grammar.productions.iter().filter(|p| blank(p)) {
        let full = production.symbols.iter().filter(|&&s| !empty[s as usize]);
        let alone: Vec<u32> = match full.clone().count() {
            // Any of them may be all that is left.
            0 => production.symbols.clone(),
            1 => full.copied().collect(),
            _ => continue,
        };
        edges[production.rule as usize].extend(alone);
    }
    let cycle = dependencies_first(&edges).err();
    cycle.map(|rule| rule as usize)
}
