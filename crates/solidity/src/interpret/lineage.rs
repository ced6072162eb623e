//! The contracts that one inherits from, in order.

use crate::ast::{Ast, ContractId};

/// The contract and all it inherits from, most derived first (C3, as Python
/// and Solidity have it; bases are given most basic first).
pub fn linearized(ast: &Ast, contract: ContractId) -> Vec<ContractId> {
    let mut lines: Vec<Vec<ContractId>> = Vec::new();
    for &base in ast[contract].bases.iter().rev() {
        lines.push(linearized(ast, base));
    }
    lines.push(ast[contract].bases.iter().rev().copied().collect());
    let mut line = vec![contract];
    loop {
        lines.retain(|line| !line.is_empty());
        let heads = lines.iter().map(|line| line[0]);
        let next = heads
            .into_iter()
            .find(|head| !lines.iter().any(|line| line[1..].contains(head)));
        let Some(next) = next else {
            return line;
        };
        line.push(next);
        for line in &mut lines {
            line.retain(|contract| *contract != next);
        }
    }
}
