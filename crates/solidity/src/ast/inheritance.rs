//! Who inherits what: the order of bases, and which functions one overrides.

use super::{Ast, ContractId, FunctionId, FunctionName, Member};

impl Ast {
    /// The contract and everything it inherits from in the order in which
    /// functions are looked up: itself first, and of two bases the later one.
    /// That is C3, as Python and Solidity have it; bases are given most basic first.
    pub fn lineage(&self, contract: ContractId) -> Vec<ContractId> {
        let bases = &self[contract].bases;
        let mut line = vec![contract];
        if bases.is_empty() {
            return line;
        }
        let mut lines: Vec<Vec<ContractId>> = Vec::new();
        for &base in bases.iter().rev() {
            lines.push(self.lineage(base));
        }
        lines.push(bases.iter().rev().copied().collect());
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

    /// The function of that name that a contract defines itself.
    pub fn own_function(&self, contract: ContractId, name: FunctionName) -> Option<FunctionId> {
        let members = self[contract].members.iter();
        let mut functions = members.filter_map(|member| match *member {
            Member::Function(id) if self[id].name == name => Some(id),
            _ => None,
        });
        functions.next()
    }

    /// The nearest functions of that name on every way up from these bases,
    /// each once, and the contracts that define them: what a function of a
    /// contract with these bases overrides.
    pub fn base_definitions(
        &self,
        bases: &[ContractId],
        name: FunctionName,
    ) -> Vec<(ContractId, FunctionId)> {
        let mut found = Vec::new();
        let mut seen = Vec::new();
        let mut open: Vec<ContractId> = bases.iter().rev().copied().collect();
        while let Some(base) = open.pop() {
            if seen.contains(&base) {
                continue;
            }
            seen.push(base);
            match self.own_function(base, name) {
                Some(function) => found.push((base, function)),
                None => open.extend(self[base].bases.iter().rev()),
            }
        }
        found
    }

    /// True if the function stands for a type of external functions.
    pub fn is_external_type(&self, id: FunctionId) -> bool {
        self[id].name == FunctionName::Signature && self[id].visibility.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Contract, ContractKind, Function};

    fn with_bases(bases: &[&[u32]]) -> Ast {
        let mut ast = Ast::default();
        for bases in bases {
            ast.contracts.push(Contract {
                kind: ContractKind::Abstract,
                bases: bases.iter().copied().map(ContractId).collect(),
                using: Vec::new(),
                members: Vec::new(),
            });
        }
        ast
    }

    fn define(ast: &mut Ast, contract: u32) {
        let id = FunctionId(ast.functions.len() as u32);
        ast.functions.push(Function {
            name: FunctionName::Named(7),
            contract: Some(ContractId(contract)),
            parameters: Vec::new(),
            results: Vec::new(),
            visibility: None,
            mutability: None,
            modifiers: Vec::new(),
            is_virtual: true,
            is_override: false,
            body: None,
        });
        ast[ContractId(contract)].members.push(Member::Function(id));
    }

    #[test]
    fn of_two_bases_the_later_one_comes_first_and_what_both_have_last() {
        for (bases, lineage) in [
            (&[&[][..], &[0], &[0], &[1, 2]][..], vec![3, 2, 1, 0]),
            (&[&[][..], &[], &[0], &[1, 2]][..], vec![3, 2, 0, 1]),
            (&[&[][..], &[0], &[1], &[2]][..], vec![3, 2, 1, 0]),
        ] {
            let found = with_bases(bases).lineage(ContractId(3));
            let found: Vec<u32> = found.into_iter().map(|contract| contract.0).collect();
            assert_eq!(found, lineage, "{bases:?}");
        }
    }

    #[test]
    fn the_nearest_function_of_every_way_up_is_overridden() {
        let mut ast = with_bases(&[&[], &[0], &[0], &[1, 2]]);
        define(&mut ast, 0);
        let definers = |ast: &Ast| -> Vec<u32> {
            let bases = &ast[ContractId(3)].bases;
            let found = ast.base_definitions(bases, FunctionName::Named(7));
            found.into_iter().map(|(contract, _)| contract.0).collect()
        };
        assert_eq!(definers(&ast), [0]);
        define(&mut ast, 1);
        assert_eq!(definers(&ast), [1, 0]);
        define(&mut ast, 2);
        assert_eq!(definers(&ast), [1, 2]);
    }
}
