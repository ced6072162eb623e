//! Rules that patterns cannot say, done by code. Each has a row in
//! `rules.txt` that says what is done, for the reader and for the proof.

use lydite_core::Reject;

use super::make::{Maker, fresh_name};
use super::parity::Places;
use crate::draft::{NONE, NOWHERE, NodeId, Slot};
use crate::sort::{Sort, SortKind};
use crate::syntax::{Term, TermId};
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
        let draft = maker.draft;
        match self {
            Tactic::Instance | Tactic::Choose => {
                matches!(draft.term(node), Some(Term::Bind { .. }))
            }
            Tactic::Witness | Tactic::Generalise => {
                draft.sort(node) == Sort::BOOL
                    && draft.scope(node) != NOWHERE
                    && !draft.children(node).is_empty()
                    && maker.places.size(node) <= MAX_COPIED
            }
            Tactic::Congruence | Tactic::Selector | Tactic::Tester => {
                let is_equation = draft.operator(node).is_some() && draft.head(node) == "=";
                is_equation
                    && draft.children(node).len() == 2
                    && draft.sort(draft.children(node)[0]) == draft.sort(draft.children(node)[1])
            }
            Tactic::Inline => {
                draft
                    .origin(node)
                    .is_some_and(|origin| draft.stock().locals.variable_of[origin.index()] != NONE)
                    && draft.children(node).is_empty()
            }
            Tactic::OtherTester => draft.origin(node).is_some_and(|origin| {
                matches!(draft.stock().typed.resolved(origin), Resolved::Tester(_))
                    && draft.children(node).len() == 1
            }),
        }
    }
}

/// A draft to look at.
pub(super) struct Looker<'a, 'd> {
    pub(super) draft: &'a crate::draft::Draft<'d>,
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
            Tactic::Witness => self.quantified(node, "exists", places),
            Tactic::Generalise => self.quantified(node, "forall", places),
            Tactic::Congruence => self.congruence(node),
            Tactic::Inline => Ok(self.inline(node)),
            Tactic::Selector => self.selector(node),
            Tactic::Tester => self.tester(node),
            Tactic::OtherTester => self.other_tester(node),
        }
    }

    /// Every variable becomes some term.
    fn instance(&mut self, node: NodeId, places: &Places) -> Result<Option<NodeId>, Reject> {
        let stock = self.draft.stock();
        let Some(origin) = self.draft.origin(node) else {
            return Ok(None);
        };
        let body = self.draft.children(node)[0];
        if matches!(self.draft.term(body), Some(Term::Annotated { .. }))
            || places.size(body) > MAX_COPIED
        {
            return Ok(None);
        }
        let scopes = &stock.locals.scopes;
        let Some(scope) = scopes.iter().position(|scope| scope.opener == Some(origin)) else {
            return Ok(None);
        };
        let locals = stock.locals.variables.iter().enumerate();
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
        // A copy knows that the quantifier's variables are not visible any more.
        let copy = self.draft.copy(body, self.scope);
        Ok(Some(self.substitute(copy, &terms)))
    }

    /// Puts copies of terms where variables are; returns what then stands
    /// where `root` was.
    fn substitute(&mut self, root: NodeId, terms: &[(usize, NodeId)]) -> NodeId {
        let stock = self.draft.stock();
        let mut work = vec![root];
        let mut uses = Vec::new();
        while let Some(node) = work.pop() {
            work.extend_from_slice(self.draft.children(node));
            let Some(origin) = self.draft.origin(node) else {
                continue;
            };
            let variable = stock.locals.variable_of[origin.index()] as usize;
            let term = terms.iter().find(|(known, _)| *known == variable);
            if let Some(&(_, term)) = term {
                uses.push((node, term));
            }
        }
        let mut result = root;
        for (node, term) in uses {
            let copy = self.draft.copy(term, self.draft.scope(node));
            match self.draft.slot(node) {
                Some(slot @ Slot::Child(..)) => self.draft.put(slot, copy),
                _ => result = copy,
            }
        }
        result
    }

    /// One subterm becomes a new variable.
    fn quantified(
        &mut self,
        node: NodeId,
        word: &str,
        places: &Places,
    ) -> Result<Option<NodeId>, Reject> {
        let stock = self.draft.stock();
        let mut found: Vec<(NodeId, Sort)> = Vec::new();
        let mut work = self.draft.children(node).to_vec();
        while let Some(inner) = work.pop() {
            work.extend_from_slice(self.draft.children(inner));
            let Some(origin) = self.draft.origin(inner) else {
                continue;
            };
            let sort = self.draft.sort(inner);
            // What a variable stands for must mean the same outside.
            let outside = stock.locals.visible(stock.need(origin), self.scope)
                && self.is_whole(inner, origin, places);
            if outside && !stock.is_fixed(origin) && has_name(stock, sort) {
                found.push((inner, sort));
            }
        }
        if found.is_empty() {
            return Ok(None);
        }
        let &(inner, sort) = self.choices.pick(&found)?;
        let name = fresh_name(self.draft);
        let text = stock.typed.show(&stock.script, sort);
        let scope = self.draft.scope(inner);
        let variable = self.draft.make(&name, None, sort, scope, &[]);
        let Some(slot) = self.draft.slot(inner) else {
            return Ok(None);
        };
        self.draft.put(slot, variable);
        let head = format!("{word} (({name} {text}))");
        Ok(Some(self.draft.make(
            &head,
            None,
            Sort::BOOL,
            self.scope,
            &[node],
        )))
    }

    /// True if a term is still what it was in the stock, as far as its size
    /// and its own head can tell: no made variable is inside it.
    fn is_whole(&self, node: NodeId, origin: TermId, places: &Places) -> bool {
        let stock = self.draft.stock();
        if places.size(node) > MAX_COPIED {
            return false;
        }
        let mut work = vec![node];
        while let Some(inner) = work.pop() {
            if self.draft.origin(inner).is_none() {
                return false;
            }
            work.extend_from_slice(self.draft.children(inner));
        }
        places.size(node) == stock.size(origin)
    }

    /// `f(…, x, …) = f(…, y, …)`, where `f(…)` is somewhere in the script.
    fn congruence(&mut self, node: NodeId) -> Result<Option<NodeId>, Reject> {
        let [left, right] = self.sides(node);
        let stock = self.draft.stock();
        let sort = self.draft.sort(left);
        let frame = self
            .supply
            .frame(stock, self.choices, sort, self.command, self.scope)?;
        let Some(frame) = frame else {
            return Ok(None);
        };
        let mut sides = [left, right];
        for side in &mut sides {
            let copy = self.draft.copy(frame.term.into(), self.scope);
            self.draft.put(Slot::Child(copy, frame.at), *side);
            *side = copy;
        }
        Ok(self.apply("=", &sides))
    }

    fn sides(&self, node: NodeId) -> [NodeId; 2] {
        let children = self.draft.children(node);
        [children[0], children[1]]
    }

    fn inline(&mut self, node: NodeId) -> Option<NodeId> {
        let stock = self.draft.stock();
        let origin = self.draft.origin(node)?;
        let variable = stock.locals.variable_of[origin.index()];
        let local = stock.locals.variables.get(variable as usize)?;
        let opener = stock.locals.scopes[local.scope as usize].opener?;
        let Term::Let { bindings, .. } = stock.script.term(opener) else {
            return None;
        };
        let at = bindings.iter().position(|b| b.symbol == local.symbol)?;
        // The let may have been changed or copied: the one around this use
        // is the one that counts.
        let mut around = self.draft.parent(node)?;
        while self.draft.origin(around) != Some(opener) {
            around = self.draft.parent(around)?;
        }
        let bound = self.draft.children(around)[at];
        let mut size = 0;
        let mut work = vec![bound];
        while let Some(inner) = work.pop() {
            size += 1;
            if size > MAX_COPIED {
                return None;
            }
            work.extend_from_slice(self.draft.children(inner));
        }
        Some(self.draft.copy(bound, self.scope))
    }

    /// The datatype's functions of both sides of an equation.
    fn selector(&mut self, node: NodeId) -> Result<Option<NodeId>, Reject> {
        let stock = self.draft.stock();
        let [left, right] = self.sides(node);
        let SortKind::Named(id, _) = stock.typed.sorts.kind(self.draft.sort(left)) else {
            return Ok(None);
        };
        let constructors = stock.typed.declaration(*id).constructors.as_deref();
        let selectors: Vec<_> = constructors
            .unwrap_or_default()
            .iter()
            .flat_map(|constructor| constructor.selectors.iter().copied())
            .collect();
        if selectors.is_empty() {
            return Ok(None);
        }
        let function = stock.typed.function(*self.choices.pick(&selectors)?);
        let name = crate::print::symbol(&stock.script, function.symbol);
        let sort = match stock.typed.sorts.is_open(function.result) {
            true => Sort::UNKNOWN,
            false => function.result,
        };
        let sides =
            [left, right].map(|side| self.draft.make(&name, None, sort, self.scope, &[side]));
        Ok(self.apply("=", &sides))
    }

    fn constructors(&self, sort: Sort) -> Vec<String> {
        let stock = self.draft.stock();
        let SortKind::Named(id, arguments) = stock.typed.sorts.kind(sort) else {
            return Vec::new();
        };
        let constructors = stock.typed.declaration(*id).constructors.as_deref();
        // Of a parametric datatype the constructor would need its sort.
        let constructors = constructors.filter(|_| arguments.is_empty());
        let name = |function| {
            let symbol = stock.typed.function(function).symbol;
            crate::print::symbol(&stock.script, symbol)
        };
        let constructors = constructors.unwrap_or_default().iter();
        constructors
            .map(|constructor| name(constructor.function))
            .collect()
    }

    fn tester(&mut self, node: NodeId) -> Result<Option<NodeId>, Reject> {
        let [left, right] = self.sides(node);
        let constructors = self.constructors(self.draft.sort(left));
        if constructors.is_empty() {
            return Ok(None);
        }
        let head = format!("(_ is {})", self.choices.pick(&constructors)?);
        let sides = [left, right].map(|side| {
            self.draft
                .make(&head, None, Sort::BOOL, self.scope, &[side])
        });
        Ok(self.apply("=", &sides))
    }

    fn other_tester(&mut self, node: NodeId) -> Result<Option<NodeId>, Reject> {
        let stock = self.draft.stock();
        let child = self.draft.children(node)[0];
        let own = match self
            .draft
            .origin(node)
            .map(|term| stock.typed.resolved(term))
        {
            Some(Resolved::Tester(id)) => stock.typed.function(id).symbol,
            _ => return Ok(None),
        };
        let own = crate::print::symbol(&stock.script, own);
        let mut others = self.constructors(self.draft.sort(child));
        others.retain(|name| *name != own);
        if others.is_empty() {
            return Ok(None);
        }
        let head = format!("(_ is {})", self.choices.pick(&others)?);
        let tester = self
            .draft
            .make(&head, None, Sort::BOOL, self.scope, &[child]);
        Ok(self.apply("not", &[tester]))
    }
}

/// True if a variable of the sort can be declared.
fn has_name(stock: &crate::draft::Stock, sort: Sort) -> bool {
    !stock.typed.sorts.is_open(sort)
        && !matches!(
            stock.typed.sorts.kind(sort),
            SortKind::RegLan | SortKind::Function(_)
        )
        && !stock.typed.show(&stock.script, sort).contains('…')
}
