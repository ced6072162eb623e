//! Trying every assignment, 64 at a time.

use super::term::{Circuit, GateId, Op};

/// With more constants than this the answer is unknown.
pub(super) const MOST_CONSTANTS: usize = 16;

/// The value of constant n < 6 in the 64 assignments of one word.
const PATTERNS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0, 0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Bit n is the value of the n-th constant.
    Sat(u64),
    Unsat,
    Unknown,
}

/// The gates that the assertions reach, in order.
pub(super) fn reached(circuit: &Circuit, assertions: &[GateId]) -> Vec<GateId> {
    let mut used = vec![false; circuit.gates.len()];
    for &assertion in assertions {
        used[assertion] = true;
    }
    for id in (0..circuit.gates.len()).rev() {
        if used[id] {
            for &arg in &circuit.gates[id].args {
                used[arg] = true;
            }
        }
    }
    (0..used.len()).filter(|&id| used[id]).collect()
}

/// Decides the conjunction of the assertions.
pub(super) fn decide(circuit: &Circuit, assertions: &[GateId]) -> Decision {
    let gates = reached(circuit, assertions);
    let mut constants: Vec<usize> = gates
        .iter()
        .filter_map(|&id| match circuit.gates[id].op {
            Op::Constant(index) => Some(index),
            _ => None,
        })
        .collect();
    constants.sort_unstable();
    constants.dedup();
    if constants.len() > MOST_CONSTANTS || constants.iter().any(|&index| index > 63) {
        return Decision::Unknown;
    }
    let mut values = vec![0u64; circuit.gates.len()];
    for word in 0..1u64 << constants.len().saturating_sub(6) {
        for &id in &gates {
            values[id] = evaluate(circuit, id, &values, &constants, word);
        }
        let all = assertions.iter().fold(!0, |all, &id| all & values[id]);
        if all != 0 {
            let bit = u64::from(all.trailing_zeros());
            let assignment = word << 6 | bit;
            let set = constants
                .iter()
                .enumerate()
                .filter(|(place, _)| assignment >> place & 1 == 1);
            return Decision::Sat(set.fold(0, |model, (_, &index)| model | 1 << index));
        }
    }
    Decision::Unsat
}

fn evaluate(circuit: &Circuit, id: GateId, values: &[u64], constants: &[usize], word: u64) -> u64 {
    let gate = &circuit.gates[id];
    let mut args = gate.args.iter().map(|&arg| values[arg]);
    let first = args.next().unwrap_or(0);
    match gate.op {
        Op::True => !0,
        Op::False => 0,
        Op::Constant(index) => match constants.binary_search(&index) {
            Ok(place) if place < 6 => PATTERNS[place],
            Ok(place) if word >> (place - 6) & 1 == 1 => !0,
            _ => 0,
        },
        Op::Not => !first,
        Op::And => args.fold(first, |all, arg| all & arg),
        Op::Or => args.fold(first, |all, arg| all | arg),
        Op::Xor => args.fold(first, |all, arg| all ^ arg),
        // a => b => c is a => (b => c): false only if all but the last hold.
        Op::Implies => {
            let last = gate.args.last().map_or(0, |&arg| values[arg]);
            let before = &gate.args[..gate.args.len() - 1];
            before.iter().fold(last, |all, &arg| all | !values[arg])
        }
        Op::Equal => args.fold(!0, |all, arg| all & !(first ^ arg)),
        // There are only two values to be distinct with.
        Op::Distinct if gate.args.len() > 2 => 0,
        Op::Distinct => args.fold(!0, |all, arg| all & (first ^ arg)),
        Op::Ite => {
            let (yes, no) = (values[gate.args[1]], values[gate.args[2]]);
            first & yes | !first & no
        }
    }
}
