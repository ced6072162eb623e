//! Rules that patterns cannot say, done by code. Each has a row in
//! `rules.txt` that says what is done, for the reader and for the proof.

use lydite_core::Reject;

use super::make::{Maker, fresh_name};
use super::parity::Places;
use crate::mutate::mutant::{NONE, NOWHERE, NodeId, Slot};
use crate::sort::{Sort, SortKind};
use crate::syntax::Term;
use crate::typing::Resolved;

/// Larger terms are not copied.
const MAX_COPIED: usize = 400;

/// A rule that is done by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tactic {
    /// `∀x φ` to `φ[B]`.
    Instance,
    /// `∃x φ` strengthened to `φ[B]`.
    Choose,
    /// `φ[B]` to `∃x φ`.
    Witness,
    /// `φ` strengthened to `∀x φ'` where φ is `φ'[B]`.
    Generalise,
    /// `x = y` to `f(x) = f(y)` for an application of the script.
    Congruence,
    /// A variable of a `let` to what it stands for.
    Inline,
    /// `x = y` to `s(x) = s(y)` for a selector s.
    Selector,
    /// `x = y` to `is-C(x) = is-C(y)`.
    Tester,
    /// `is-C(x)` to `not is-D(x)`.
    OtherTester,
}

/// The names in the table.
const NAMES: [(&str, Tactic); 9] = [
    ("instance", Tactic::Instance),
    ("choose", Tactic::Choose),
    ("witness", Tactic::Witness),
    ("generalise", Tactic::Generalise),
    ("congruence", Tactic::Congruence),
    ("inline", Tactic::Inline),
    ("selector", Tactic::Selector),
    ("tester", Tactic::Tester),
    ("other-tester", Tactic::OtherTester),
];

impl Tactic {
    /// Reads the name.
    pub(super) fn named(name: &str) -> Option<Tactic> {
        NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, tactic)| *tactic)
    }

    /// The word of the quantifier that it changes.
    pub(super) fn quantifier(self) -> Option<&'static str> {
        match self {
            Tactic::Instance => Some("forall"),
            Tactic::Choose => Some("exists"),
            _ => None,
        }
    }

    /// True if it may be able to change a term; asked of every term, so quick.
    pub(super) fn may_change(self, maker: &Looker<'_, '_>, node: NodeId) -> bool {
        let mutant = maker.mutant;
        match self {
            Tactic::Instance | Tactic::Choose => {
                matches!(mutant.term(node), Some(Term::Bind { .. }))
            }
            Tactic::Witness | Tactic::Generalise => {
                mutant.sort(node) == Sort::BOOL
                    && mutant.scope(node) != NOWHERE
                    && !mutant.children(node).is_empty()
                    && maker.places.size(node) <= MAX_COPIED
            }
            Tactic::Congruence | Tactic::Selector | Tactic::Tester => {
                let is_equation = mutant.operator(node).is_some() && mutant.head(node) == "=";
                is_equation
                    && mutant.children(node).len() == 2
                    && mutant.sort(mutant.children(node)[0])
                        == mutant.sort(mutant.children(node)[1])
            }
            Tactic::Inline => {
                mutant.origin(node).is_some_and(|origin| {
                    mutant.original().locals.variable_of[origin.index()] != NONE
                }) && mutant.children(node).is_empty()
            }
            Tactic::OtherTester => mutant.origin(node).is_some_and(|origin| {
                matches!(
                    mutant.original().typed.resolved(origin),
                    Resolved::Tester(_)
                ) && mutant.children(node).len() == 1
            }),
        }
    }
}

/// A mutant to look at.
pub(super) struct Looker<'a, 'd> {
    pub(super) mutant: &'a crate::mutate::mutant::Mutant<'d>,
    pub(super) places: &'a Places,
}

impl Maker<'_, '_> {
    /// What a tactic makes of the term at `node`; none if it cannot.
    pub(super) fn tactic(
        &mut self,
        tactic: Tactic,
        node: NodeId,
        places: &Places,
    ) -> Result<Option<NodeId>, Reject> {
        match tactic {
            Tactic::Instance | Tactic::Choose => self.instance(node, places),
            Tactic::Witness => self.quantified(node, "exists"),
            Tactic::Generalise => self.quantified(node, "forall"),
            Tactic::Congruence => self.congruence(node),
            Tactic::Inline => Ok(self.inline(node)),
            Tactic::Selector => self.selector(node),
            Tactic::Tester => self.tester(node),
            Tactic::OtherTester => self.other_tester(node),
        }
    }

    /// Every variable becomes some term.
    fn instance(&mut self, node: NodeId, places: &Places) -> Result<Option<NodeId>, Reject> {
        let original = self.mutant.original();
        let Some(origin) = self.mutant.origin(node) else {
            return Ok(None);
        };
        let body = self.mutant.children(node)[0];
        if matches!(self.mutant.term(body), Some(Term::Annotated { .. }))
            || places.size(body) > MAX_COPIED
        {
            return Ok(None);
        }
        let scopes = &original.locals.scopes;
        let Some(scope) = scopes.iter().position(|scope| scope.opener == Some(origin)) else {
            return Ok(None);
        };
        let locals = original.locals.variables.iter().enumerate();
        let mut terms = Vec::new();
        for (variable, local) in locals.filter(|(_, local)| local.scope as usize == scope) {
            let term = match local.sort {
                Some(sort) => self.added(sort)?,
                None => None,
            };
            match term {
                Some(term) => terms.push((variable, term)),
                None => return Ok(None),
            }
        }
        let copy = self.mutant.copy(body, self.scope);
        // The quantifier's variables are not visible any more.
        self.mutant
            .leave_scope(copy, crate::syntax::index(scope), self.scope);
        Ok(Some(self.substitute(copy, &terms)))
    }

    /// Puts copies of terms where variables are; returns what then stands
    /// where `root` was.
    fn substitute(&mut self, root: NodeId, terms: &[(usize, NodeId)]) -> NodeId {
        let original = self.mutant.original();
        let mut work = vec![root];
        let mut uses = Vec::new();
        while let Some(node) = work.pop() {
            work.extend_from_slice(self.mutant.children(node));
            let Some(origin) = self.mutant.origin(node) else {
                continue;
            };
            let variable = original.locals.variable_of[origin.index()] as usize;
            let term = terms.iter().find(|(known, _)| *known == variable);
            if let Some(&(_, term)) = term {
                uses.push((node, term));
            }
        }
        let mut result = root;
        for (node, term) in uses {
            let copy = self.mutant.copy(term, self.mutant.scope(node));
            match self.mutant.slot(node) {
                Some(slot @ Slot::Child(..)) => self.mutant.put(slot, copy),
                _ => result = copy,
            }
        }
        result
    }

    /// One subterm becomes a new variable.
    fn quantified(&mut self, node: NodeId, word: &str) -> Result<Option<NodeId>, Reject> {
        let original = self.mutant.original();
        let mut found: Vec<(NodeId, Sort)> = Vec::new();
        let mut work = self.mutant.children(node).to_vec();
        while let Some(inner) = work.pop() {
            work.extend_from_slice(self.mutant.children(inner));
            let Some(origin) = self.mutant.origin(inner) else {
                continue;
            };
            let sort = self.mutant.sort(inner);
            // What a variable stands for must mean the same outside.
            let outside = original.locals.visible(original.need(origin), self.scope)
                && self.mutant.is_unchanged(inner);
            if outside && !original.is_fixed(origin) && has_name(original, sort) {
                found.push((inner, sort));
            }
        }
        if found.is_empty() {
            return Ok(None);
        }
        let &(inner, sort) = self.choices.pick(&found)?;
        let name = fresh_name(self.mutant);
        let text = original.typed.show(&original.script, sort);
        let scope = self.mutant.scope(inner);
        let variable = self.mutant.make(&name, None, sort, scope, &[]);
        let Some(slot) = self.mutant.slot(inner) else {
            return Ok(None);
        };
        self.mutant.put(slot, variable);
        let head = format!("{word} (({name} {text}))");
        Ok(Some(self.mutant.make(
            &head,
            None,
            Sort::BOOL,
            self.scope,
            &[node],
        )))
    }

    /// `f(…, x, …) = f(…, y, …)`, where `f(…)` is somewhere in the script.
    fn congruence(&mut self, node: NodeId) -> Result<Option<NodeId>, Reject> {
        let [left, right] = self.sides(node);
        let original = self.mutant.original();
        let sort = self.mutant.sort(left);
        let frame = self
            .supply
            .frame(original, self.choices, sort, self.command, self.scope)?;
        let Some(frame) = frame else {
            return Ok(None);
        };
        let mut sides = [left, right];
        for side in &mut sides {
            let copy = self.mutant.copy_original(frame.term, self.scope);
            self.mutant.put(Slot::Child(copy, frame.at), *side);
            *side = copy;
        }
        Ok(self.apply("=", &sides))
    }

    fn sides(&self, node: NodeId) -> [NodeId; 2] {
        let children = self.mutant.children(node);
        [children[0], children[1]]
    }

    fn inline(&mut self, node: NodeId) -> Option<NodeId> {
        let original = self.mutant.original();
        let origin = self.mutant.origin(node)?;
        let variable = original.locals.variable_of[origin.index()];
        let local = original.locals.variables.get(variable as usize)?;
        let opener = original.locals.scopes[local.scope as usize].opener?;
        let Term::Let { bindings, .. } = original.script.term(opener) else {
            return None;
        };
        let at = bindings.iter().position(|b| b.symbol == local.symbol)?;
        // The let may have been changed or copied: the one around this use
        // is the one that counts.
        let mut around = self.mutant.parent(node)?;
        while self.mutant.origin(around) != Some(opener) {
            around = self.mutant.parent(around)?;
        }
        let bound = self.mutant.children(around)[at];
        let mut size = 0;
        let mut work = vec![bound];
        while let Some(inner) = work.pop() {
            size += 1;
            if size > MAX_COPIED {
                return None;
            }
            work.extend_from_slice(self.mutant.children(inner));
        }
        Some(self.mutant.copy(bound, self.scope))
    }

    /// The datatype's functions of both sides of an equation.
    fn selector(&mut self, node: NodeId) -> Result<Option<NodeId>, Reject> {
        let original = self.mutant.original();
        let [left, right] = self.sides(node);
        let SortKind::Named(id, _) = original.typed.sorts.kind(self.mutant.sort(left)) else {
            return Ok(None);
        };
        let constructors = original.typed.declaration(*id).constructors.as_deref();
        let selectors: Vec<_> = constructors
            .unwrap_or_default()
            .iter()
            .flat_map(|constructor| constructor.selectors.iter().copied())
            .collect();
        if selectors.is_empty() {
            return Ok(None);
        }
        let function = original.typed.function(*self.choices.pick(&selectors)?);
        let name = crate::print::symbol(&original.script, function.symbol);
        let sort = match original.typed.sorts.is_open(function.result) {
            true => Sort::UNKNOWN,
            false => function.result,
        };
        let sides =
            [left, right].map(|side| self.mutant.make(&name, None, sort, self.scope, &[side]));
        Ok(self.apply("=", &sides))
    }

    fn constructors(&self, sort: Sort) -> Vec<String> {
        let original = self.mutant.original();
        let SortKind::Named(id, arguments) = original.typed.sorts.kind(sort) else {
            return Vec::new();
        };
        let constructors = original.typed.declaration(*id).constructors.as_deref();
        // Of a parametric datatype the constructor would need its sort.
        let constructors = constructors.filter(|_| arguments.is_empty());
        let name = |function| {
            let symbol = original.typed.function(function).symbol;
            crate::print::symbol(&original.script, symbol)
        };
        let constructors = constructors.unwrap_or_default().iter();
        constructors
            .map(|constructor| name(constructor.function))
            .collect()
    }

    fn tester(&mut self, node: NodeId) -> Result<Option<NodeId>, Reject> {
        let [left, right] = self.sides(node);
        let constructors = self.constructors(self.mutant.sort(left));
        if constructors.is_empty() {
            return Ok(None);
        }
        let head = format!("(_ is {})", self.choices.pick(&constructors)?);
        let sides = [left, right].map(|side| {
            self.mutant
                .make(&head, None, Sort::BOOL, self.scope, &[side])
        });
        Ok(self.apply("=", &sides))
    }

    fn other_tester(&mut self, node: NodeId) -> Result<Option<NodeId>, Reject> {
        let original = self.mutant.original();
        let child = self.mutant.children(node)[0];
        let own = match self
            .mutant
            .origin(node)
            .map(|term| original.typed.resolved(term))
        {
            Some(Resolved::Tester(id)) => original.typed.function(id).symbol,
            _ => return Ok(None),
        };
        let own = crate::print::symbol(&original.script, own);
        let mut others = self.constructors(self.mutant.sort(child));
        others.retain(|name| *name != own);
        if others.is_empty() {
            return Ok(None);
        }
        let head = format!("(_ is {})", self.choices.pick(&others)?);
        let tester = self
            .mutant
            .make(&head, None, Sort::BOOL, self.scope, &[child]);
        Ok(self.apply("not", &[tester]))
    }
}

/// True if a variable of the sort can be declared.
fn has_name(original: &crate::mutate::mutant::Original, sort: Sort) -> bool {
    !original.typed.sorts.is_open(sort)
        && !matches!(
            original.typed.sorts.kind(sort),
            SortKind::RegLan | SortKind::Function(_)
        )
        && !original.typed.show(&original.script, sort).contains('…')
}
