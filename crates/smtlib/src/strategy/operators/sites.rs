//! Where a seed's operators can be changed, and to what: all that does not
//! depend on choices.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::draft::{Draft, NodeId, Stock};
use crate::operators::{OperatorId, Operators};
use crate::sort::{Sort, SortKind, Sorts};
use crate::strategy::repertoire::{Class, Repertoire, calls, declared_names, is_literal};
use crate::syntax::{Binder, Term, TermId, index};
use crate::typing::{Resolved, Role};

/// An operator that can be changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) term: TermId,
    /// The index of its class.
    class: u32,
}

/// What an operator can be changed to.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) head: String,
    pub(super) operator: Option<OperatorId>,
    /// The commands whose terms may use it.
    live: Range<usize>,
}

/// The sites of a seed.
pub(super) struct Sites {
    /// Applications and quantifiers.
    pub(super) applied: Vec<Site>,
    /// Constants.
    pub(super) constants: Vec<Site>,
    /// For each class its candidates, operators of the table first.
    classes: Vec<Vec<Candidate>>,
}

impl Sites {
    pub(super) fn find(stock: &Stock, operators: &Operators, repertoire: &Repertoire) -> Sites {
        let mut search = Search {
            stock,
            draft: Draft::new(stock),
            operators,
            repertoire,
            taken: declared_names(stock),
            sorts: stock.typed.sorts.clone(),
            known: BTreeMap::new(),
            sites: Sites {
                applied: Vec::new(),
                constants: Vec::new(),
                classes: vec![quantifiers(stock)],
            },
        };
        let frozen = repertoire.frozen(stock);
        for term in stock.script.terms() {
            if !frozen[term.index()] {
                search.visit(term);
            }
        }
        search.sites
    }

    /// The candidates of a site.
    pub(super) fn candidates(&self, site: Site) -> &[Candidate] {
        &self.classes[site.class as usize]
    }
}

impl Candidate {
    /// True if the operator of `node`, which `command` holds, would really
    /// change.
    pub(super) fn changes(&self, draft: &Draft<'_>, node: NodeId, command: usize) -> bool {
        self.live.contains(&command) && draft.head(node) != self.head
    }
}

fn quantifiers(stock: &Stock) -> Vec<Candidate> {
    let candidate = |head: &str| Candidate {
        head: head.to_string(),
        operator: None,
        live: 0..stock.script.commands.len(),
    };
    vec![candidate("forall"), candidate("exists")]
}

struct Search<'a> {
    stock: &'a Stock,
    /// The seed as it stands.
    draft: Draft<'a>,
    operators: &'a Operators,
    repertoire: &'a Repertoire,
    taken: Vec<&'a str>,
    sorts: Sorts,
    known: BTreeMap<Class, u32>,
    sites: Sites,
}

impl Search<'_> {
    fn visit(&mut self, term: TermId) {
        let stock = self.stock;
        let arguments = match stock.script.term(term) {
            Term::Bind {
                binder: Binder::Forall | Binder::Exists,
                ..
            } => {
                self.sites.applied.push(Site { term, class: 0 });
                return;
            }
            Term::Application { arguments, .. } => arguments,
            _ => return,
        };
        let changeable = match stock.typed.resolved(term) {
            Resolved::Operator(_) => true,
            Resolved::Function(id) => !matches!(stock.typed.function(id).role, Role::Named(_)),
            _ => false,
        };
        let sort_of = |&term: &TermId| stock.sort(term);
        let class = Class {
            arguments: arguments.iter().map(sort_of).collect(),
            literal: arguments.iter().map(|&t| is_literal(stock, t)).collect(),
            result: stock.sort(term),
        };
        let plain = |&sort: &Sort| is_plain(sort, &self.sorts);
        if !changeable || !plain(&class.result) || !class.arguments.iter().all(plain) {
            return;
        }
        let class = self.class(class);
        let site = Site { term, class };
        let command = stock.command(term);
        let mut candidates = self.sites.candidates(site).iter();
        if candidates.any(|candidate| candidate.changes(&self.draft, term.into(), command)) {
            match arguments {
                [] => self.sites.constants.push(site),
                _ => self.sites.applied.push(site),
            }
        }
    }

    fn class(&mut self, class: Class) -> u32 {
        if let Some(&known) = self.known.get(&class) {
            return known;
        }
        let (stock, count) = (self.stock, self.stock.script.commands.len());
        let table = calls(
            self.repertoire, self.operators, &class, &self.taken, &mut self.sorts,
        );
        let mut candidates: Vec<Candidate> = table
            .into_iter()
            .map(|(id, head)| Candidate {
                head,
                operator: Some(id),
                live: 0..count,
            })
            .collect();
        for (at, function) in stock.typed.functions.iter().enumerate() {
            if function.parameters == class.arguments
                && function.result == class.result
                && function.sort_parameters == 0
                && !matches!(function.role, Role::Named(_))
            {
                candidates.push(Candidate {
                    head: crate::print::symbol(&stock.script, function.symbol),
                    operator: None,
                    live: stock.function_live(crate::typing::FunctionId(index(at))),
                });
            }
        }
        let number = index(self.sites.classes.len());
        self.sites.classes.push(candidates);
        self.known.insert(class, number);
        number
    }
}

/// True if the sort is known and not one of functions.
fn is_plain(sort: Sort, sorts: &Sorts) -> bool {
    !sorts.is_open(sort) && !matches!(sorts.kind(sort), SortKind::Function(_))
}
