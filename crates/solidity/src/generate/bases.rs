//! What a contract inherits: its bases, and what it overrides of them.

use lydite_core::Reject;

use super::Generator;
use super::options::Part;
use super::weights::Draw;
use crate::ast::{ContractId, ContractKind, FunctionId, FunctionName, Member};
use crate::version::Feature;

impl Generator<'_> {
    /// True if contracts may have bases. The rules of overrides are those from 0.6.0 on; a program
    /// that no compiler should take may break those of older versions too.
    pub(super) fn inherits(&self) -> bool {
        let known = self.has(Feature::Virtual) || self.options.has_empty_calls;
        self.allows(Part::Inheritance) && known
    }

    /// A base, and sometimes a second one.
    pub(super) fn inherit(&mut self, id: ContractId) -> Result<(), Reject> {
        let known: Vec<ContractId> = self.known_contracts();
        if known.is_empty() {
            return Ok(());
        }
        let base = *self.choices.pick(&known)?;
        self.ast[id].bases.push(base);
        if !self.allows(Part::Bases) || !self.often(Draw::SecondBases)? {
            return Ok(());
        }
        let others = known
            .into_iter()
            .filter(|&other| self.go_together(base, other));
        let others: Vec<ContractId> = others.collect();
        if !others.is_empty() {
            let other = *self.choices.pick(&others)?;
            self.ast[id].bases.push(other);
        }
        Ok(())
    }

    /// True if a contract can have both bases: none is a base of the other,
    /// what is above both has one order in both, not both take ether, nothing above both is made with arguments, and
    /// whatever both have can be overridden.
    fn go_together(&self, one: ContractId, other: ContractId) -> bool {
        let (first, second) = (self.lineage(one), self.lineage(other));
        if first.contains(&other) || second.contains(&one) {
            return false;
        }
        let in_first = first.iter().filter(|contract| second.contains(contract));
        let in_second = second.iter().filter(|contract| first.contains(contract));
        if !in_first.eq(in_second) {
            return false;
        }
        if self.takes_ether(one) && self.takes_ether(other) {
            return false;
        }
        let mut shared = first.iter().filter(|contract| second.contains(contract));
        let plain = shared.all(|&contract| {
            let constructor = self.constructor(contract);
            constructor.is_none_or(|constructor| self.ast[constructor].parameters.is_empty())
        });
        let names = self.function_names(first.iter().chain(&second));
        plain
            && names.into_iter().all(|name| {
                let defined = self.ast.base_definitions(&[one, other], name);
                defined.len() < 2 || defined.iter().all(|&(_, own)| self.is_overridable(own))
            })
    }

    fn function_names<'a>(
        &self,
        contracts: impl Iterator<Item = &'a ContractId>,
    ) -> Vec<FunctionName> {
        let mut names = Vec::new();
        for &contract in contracts {
            for member in &self.ast[contract].members {
                if let Member::Function(id) = *member
                    && let name @ FunctionName::Named(_) = self.ast[id].name
                    && !names.contains(&name)
                {
                    names.push(name);
                }
            }
        }
        names
    }

    fn is_overridable(&self, id: FunctionId) -> bool {
        let function = &self.ast[id];
        let kind = function.contract.map(|contract| self.ast[contract].kind);
        function.is_virtual || kind == Some(ContractKind::Interface)
    }

    /// Functions that override those of bases: what has no body, if this
    /// contract has to be complete, what comes from two sides, and some
    /// others.
    pub(super) fn overriding(&mut self, id: ContractId) -> Result<Vec<FunctionId>, Reject> {
        let mut functions = Vec::new();
        let complete = self.ast[id].kind == ContractKind::Contract;
        let may_lack = self.ast[id].kind == ContractKind::Abstract && self.has(Feature::Virtual);
        let lineage = self.lineage(id);
        for name in self.function_names(lineage[1..].iter()) {
            let defined = self.ast.base_definitions(&self.ast[id].bases, name);
            let mut nearest = lineage[1..]
                .iter()
                .filter_map(|&base| self.ast.own_function(base, name));
            let Some(nearest) = nearest.next() else {
                continue;
            };
            if !defined.iter().all(|&(_, own)| self.is_overridable(own)) {
                continue;
            }
            let missing = self.ast[nearest].body.is_none() && complete;
            if missing || defined.len() > 1 || self.often(Draw::Overrides)? {
                let empty = |&(_, own): &(ContractId, FunctionId)| self.ast[own].body.is_none();
                let may_lack = may_lack && defined.iter().all(empty);
                let has_body = !(may_lack && self.often(Draw::EmptyOverrides)?);
                functions.push(self.override_of(id, nearest, has_body));
            }
        }
        Ok(functions)
    }
}
