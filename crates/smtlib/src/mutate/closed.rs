//! Terms that mean the same anywhere in a script, and putting others in their place.

use std::collections::BTreeMap;

use crate::syntax::{Script, Term, TermId};
use crate::typing::{Resolved, Typed};

/// The terms below `root`, itself included, without variables of binders, `let`
/// and cases, and without annotations: they mean the same wherever what they name
/// is declared. In a fixed order, inner terms first.
pub(crate) fn closed_terms(script: &Script, typed: &Typed, root: TermId) -> Vec<TermId> {
    let mut closed: BTreeMap<TermId, bool> = BTreeMap::new();
    let mut found = Vec::new();
    let mut work = vec![(root, false)];
    let mut subterms = Vec::new();
    while let Some((term, is_entered)) = work.pop() {
        subterms.clear();
        script.push_subterms(term, &mut subterms);
        if !is_entered {
            work.push((term, true));
            work.extend(subterms.iter().map(|&inner| (inner, false)));
            continue;
        }
        let plain = match script.term(term) {
            Term::Annotated { .. } | Term::Bind { .. } | Term::Let { .. } | Term::Match { .. } => {
                false
            }
            _ => typed.resolved(term) != Resolved::Local,
        };
        let is_closed = plain && subterms.iter().all(|inner| closed[inner]);
        closed.insert(term, is_closed);
        if is_closed {
            found.push(term);
        }
    }
    found
}

/// `root` with another term in the place of `old`, which is one of its subterms.
pub(crate) fn replaced(script: &mut Script, root: TermId, old: TermId, new: TermId) -> TermId {
    let mut around: BTreeMap<TermId, TermId> = BTreeMap::new();
    let mut work = vec![root];
    let mut subterms = Vec::new();
    while let Some(term) = work.pop() {
        subterms.clear();
        script.push_subterms(term, &mut subterms);
        for &inner in &subterms {
            around.insert(inner, term);
        }
        work.extend_from_slice(&subterms);
    }
    let (mut at, mut made) = (old, new);
    while let Some(&parent) = around.get(&at) {
        subterms.clear();
        script.push_subterms(parent, &mut subterms);
        for inner in &mut subterms {
            if *inner == at {
                *inner = made;
            }
        }
        made = script.with_subterms(parent, &subterms);
        at = parent;
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print;
    use crate::syntax::{CommandKind, parse};
    use crate::typing::{Options, check};

    #[test]
    fn closed_terms_have_no_variables_and_can_be_replaced() {
        let text = "(declare-const a Int)(declare-fun f (Int) Int)\
            (assert (and (> (f a) 1) (forall ((x Int)) (> (f x) (f a))) (let ((y a)) (= y (f 2)))))";
        let mut script = parse(text.as_bytes()).unwrap();
        let typed = check(&script, &Options::default()).unwrap();
        let CommandKind::Assert(root) = script.commands[2].kind else {
            panic!("an assertion");
        };
        let closed = closed_terms(&script, &typed, root);
        let texts: Vec<String> = closed
            .iter()
            .map(|&term| print::term(&script, term))
            .collect();
        assert!(texts.contains(&"(f a)".to_string()));
        assert!(texts.contains(&"(f 2)".to_string()));
        assert!(
            !texts
                .iter()
                .any(|text| text.contains('x') || text.contains('y')),
            "{texts:?}"
        );
        let inner = closed
            .iter()
            .find(|&&term| print::term(&script, term) == "(f 2)");
        let new = script.make_call("a", &[]);
        let made = replaced(&mut script, root, *inner.unwrap(), new);
        assert!(print::term(&script, made).ends_with("(let ((y a)) (= y a)))"));
        assert!(print::term(&script, made).starts_with("(and (> (f a) 1) (forall"));
    }
}
