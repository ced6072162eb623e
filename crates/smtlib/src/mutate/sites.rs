//! Where a seed's operators can be changed, and to what: all that does not
//! depend on choices.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::mutate::mutant::{Mutant, NodeId, Original};
use crate::mutate::repertoire::{Class, Repertoire, calls, declared_names, is_literal};
use crate::operators::{OperatorId, Operators};
use crate::sort::{Sort, SortKind, Sorts};
use crate::syntax::{Binder, Term, TermId, index};
use crate::typing::{Resolved, Role};

/// An operator that can be changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) term: TermId,
    /// The index of its class.
    class: u32,
}

/// What an operator can be changed to.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) head: String,
    pub(crate) operator: Option<OperatorId>,
    /// The commands whose terms may use it.
    live: Range<usize>,
}

/// Candidates of the table for classes that are the same in all seeds: found
/// once, and close at hand.
#[derive(Default)]
pub(crate) struct SharedClasses(Mutex<BTreeMap<SharedClass, Arc<[Candidate]>>>);

/// The sorts of the arguments and of the result, and which are literals.
type SharedClass = (Vec<SortKind>, Vec<bool>);

/// The sites of a seed.
pub(crate) struct Sites {
    /// Applications and quantifiers.
    pub(crate) applied: Vec<Site>,
    /// Constants.
    pub(crate) constants: Vec<Site>,
    classes: Vec<Candidates>,
}

/// The candidates of a class.
struct Candidates {
    /// Operators of the table.
    table: Arc<[Candidate]>,
    /// Functions of the script.
    own: Vec<Candidate>,
}

impl Sites {
    pub(crate) fn find(
        original: &Original,
        operators: &Operators,
        repertoire: &Repertoire,
        shared: &SharedClasses,
    ) -> Sites {
        let quantifiers = Candidates {
            table: ["forall", "exists"]
                .map(|head| Candidate::of(head, None))
                .into(),
            own: Vec::new(),
        };
        let taken = declared_names(original);
        let mut search = Search {
            shared,
            original,
            mutant: Mutant::new(original),
            operators,
            repertoire,
            takes_names: taken.iter().any(|name| !operators.named(name).is_empty()),
            taken,
            sorts: original.typed.sorts.clone(),
            known: BTreeMap::new(),
            sites: Sites {
                applied: Vec::new(),
                constants: Vec::new(),
                classes: vec![quantifiers],
            },
        };
        let frozen = repertoire.frozen(original);
        for term in original.script.terms() {
            if !frozen[term.index()] {
                search.visit(term);
            }
        }
        search.sites
    }

    /// The candidates of a site: those of the table, and the script's own.
    pub(crate) fn candidates(&self, site: Site) -> [&[Candidate]; 2] {
        let class = &self.classes[site.class as usize];
        [&class.table, &class.own]
    }
}

impl Candidate {
    /// One that is known everywhere.
    fn of(head: &str, operator: Option<OperatorId>) -> Candidate {
        Candidate {
            head: head.to_string(),
            operator,
            live: 0..usize::MAX,
        }
    }

    /// True if the operator of `node`, which `command` holds, would really
    /// change.
    pub(crate) fn changes(&self, mutant: &Mutant<'_>, node: NodeId, command: usize) -> bool {
        self.live.contains(&command) && mutant.head(node) != self.head
    }
}

struct Search<'a> {
    shared: &'a SharedClasses,
    original: &'a Original,
    /// The seed as it stands.
    mutant: Mutant<'a>,
    operators: &'a Operators,
    repertoire: &'a Repertoire,
    taken: Vec<&'a str>,
    /// True if one of these is the name of an operator.
    takes_names: bool,
    sorts: Sorts,
    known: BTreeMap<Class, u32>,
    sites: Sites,
}

impl Search<'_> {
    fn visit(&mut self, term: TermId) {
        let original = self.original;
        let arguments = match original.script.term(term) {
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
        let changeable = match original.typed.resolved(term) {
            Resolved::Operator(_) => true,
            Resolved::Function(id) => !matches!(original.typed.function(id).role, Role::Named(_)),
            _ => false,
        };
        let sort_of = |&term: &TermId| original.sort(term);
        let class = Class {
            arguments: arguments.iter().map(sort_of).collect(),
            literal: arguments.iter().map(|&t| is_literal(original, t)).collect(),
            result: original.sort(term),
        };
        let plain = |&sort: &Sort| is_plain(sort, &self.sorts);
        if !changeable || !plain(&class.result) || !class.arguments.iter().all(plain) {
            return;
        }
        let class = self.class(class);
        let site = Site { term, class };
        let command = original.command(term);
        let [table, own] = self.sites.candidates(site);
        let changes = |candidate: &Candidate| candidate.changes(&self.mutant, term.into(), command);
        if table.iter().chain(own).any(changes) {
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
        let original = self.original;
        let mut own = Vec::new();
        for (at, function) in original.typed.functions.iter().enumerate() {
            if function.parameters == class.arguments
                && function.result == class.result
                && function.sort_parameters == 0
                && !matches!(function.role, Role::Named(_))
            {
                own.push(Candidate {
                    head: crate::print::symbol(&original.script, function.symbol),
                    operator: None,
                    live: original.function_live(crate::typing::FunctionId(index(at))),
                });
            }
        }
        let number = index(self.sites.classes.len());
        let table = self.table(&class);
        self.sites.classes.push(Candidates { table, own });
        self.known.insert(class, number);
        number
    }
}

impl Search<'_> {
    /// The candidates of the table: those that other seeds have too, unless
    /// the script takes a name away.
    fn table(&mut self, class: &Class) -> Arc<[Candidate]> {
        let flat = |&sort: &Sort| match self.sorts.kind(sort) {
            kind if kind.parts().is_empty() && !matches!(kind, SortKind::Named(..)) => {
                Some(kind.clone())
            }
            _ => None,
        };
        let sorts = class.arguments.iter().chain([&class.result]);
        let kinds: Option<Vec<SortKind>> = sorts.map(flat).collect();
        let Some(kinds) = kinds.filter(|_| !self.takes_names) else {
            return self.calls(class);
        };
        let key = (kinds, class.literal.clone());
        let known = self.shared.lock().get(&key).cloned();
        known.unwrap_or_else(|| {
            let found = self.calls(class);
            self.shared.lock().insert(key, found.clone());
            found
        })
    }

    fn calls(&mut self, class: &Class) -> Arc<[Candidate]> {
        let (repertoire, sorts) = (self.repertoire, &mut self.sorts);
        let found = calls(repertoire, self.operators, class, &self.taken, sorts);
        let candidate = |(id, head): (OperatorId, String)| Candidate::of(&head, Some(id));
        found.into_iter().map(candidate).collect()
    }
}

impl SharedClasses {
    /// What a panic left behind is still whole: entries are added at once.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<SharedClass, Arc<[Candidate]>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True if the sort is known and not one of functions.
fn is_plain(sort: Sort, sorts: &Sorts) -> bool {
    !sorts.is_open(sort) && !matches!(sorts.kind(sort), SortKind::Function(_))
}
