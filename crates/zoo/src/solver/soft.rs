//! Soft assertions: the cheapest way to violate some of them, by trying all.

use super::decide::{Decision, decide};
use super::syntax::{NodeId, Tree};
use super::term::{Circuit, GateId};

/// More soft assertions of one group than this are refused.
const MOST: usize = 10;

/// Soft assertions that share a name; weights are in thousandths.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    id: String,
    members: Vec<(GateId, u64)>,
}

/// What the groups cost, in thousandths, and a model that has these costs.
pub(super) type Cheapest = (Vec<u64>, u64);

/// Adds `(assert-soft TERM [:weight W] [:id NAME])`, which was read to a gate.
pub(super) fn add(
    groups: &mut Vec<Group>,
    tree: &Tree,
    attributes: &[NodeId],
    gate: GateId,
) -> Result<(), String> {
    let (mut weight, mut id) = (1000, "");
    for pair in attributes.chunks(2) {
        let words: Vec<&str> = pair.iter().map(|&id| tree.atom(id).unwrap_or("")).collect();
        match words[..] {
            [":weight", number] => weight = thousandths(number)?,
            [":id", name] => id = name,
            _ => return Err("unsupported soft assertion".to_string()),
        }
    }
    let at = groups.iter().position(|group| group.id == id);
    let at = at.unwrap_or_else(|| {
        groups.push(Group {
            id: id.to_string(),
            members: Vec::new(),
        });
        groups.len() - 1
    });
    if groups[at].members.len() == MOST {
        return Err("unsupported number of soft assertions".to_string());
    }
    groups[at].members.push((gate, weight));
    Ok(())
}

fn thousandths(number: &str) -> Result<u64, String> {
    let bad = || format!("bad weight {number}");
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if part.len() > 3 || whole.len() > 6 {
        return Err(bad());
    }
    format!("{whole}{part:0<3}").parse().map_err(|_| bad())
}

/// The cheapest costs in the order of the groups, each among the cheapest for those
/// before it; none if the assertions have no model.
pub(super) fn cheapest(
    circuit: &Circuit,
    assertions: &[GateId],
    groups: &[Group],
) -> Option<Cheapest> {
    let Some((group, rest)) = groups.split_first() else {
        return match decide(circuit, assertions) {
            Decision::Sat(model) => Some((Vec::new(), model)),
            _ => None,
        };
    };
    let mut sets: Vec<(u64, u32)> = (0..1u32 << group.members.len())
        .map(|set| (weight(group, set), set))
        .collect();
    sets.sort_unstable();
    let mut best: Option<Cheapest> = None;
    for (cost, violated) in sets {
        if best.as_ref().is_some_and(|(costs, _)| costs[0] < cost) {
            break;
        }
        let members = group.members.iter().enumerate();
        let kept = members.filter(|(at, _)| violated >> at & 1 == 0);
        let mut all = assertions.to_vec();
        all.extend(kept.map(|(_, (gate, _))| *gate));
        if let Some((mut costs, model)) = cheapest(circuit, &all, rest) {
            costs.insert(0, cost);
            if best.as_ref().is_none_or(|(before, _)| costs < *before) {
                best = Some((costs, model));
            }
        }
    }
    best
}

fn weight(group: &Group, set: u32) -> u64 {
    let members = group.members.iter().enumerate();
    let within = members.filter(|(at, _)| set >> at & 1 == 1);
    within.map(|(_, (_, weight))| weight).sum()
}

/// What the groups cost under a model.
pub(super) fn costs_under(circuit: &Circuit, groups: &[Group], model: u64) -> Vec<u64> {
    let mut circuit = circuit.clone();
    let pins = circuit.pin(model);
    let costs = groups.iter().map(|group| {
        let violated = group.members.iter().filter(|(gate, _)| {
            let all = [&pins[..], &[*gate]].concat();
            decide(&circuit, &all) == Decision::Unsat
        });
        violated.map(|(_, weight)| weight).sum()
    });
    costs.collect()
}

/// How many soft assertions there are.
pub(super) fn count(groups: &[Group]) -> usize {
    groups.iter().map(|group| group.members.len()).sum()
}

/// The lines of `(get-objectives)`.
pub(super) fn shown(groups: &[Group], costs: &[u64]) -> String {
    let mut text = "(objectives\n".to_string();
    for (group, cost) in groups.iter().zip(costs) {
        let number = match cost % 1000 {
            0 => (cost / 1000).to_string(),
            rest => format!("{}.{rest:03}", cost / 1000),
        };
        text.push_str(&format!(" ({} {number})\n", group.id));
    }
    text.push(')');
    text
}
