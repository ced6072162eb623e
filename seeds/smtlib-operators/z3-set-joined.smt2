; What z3 alone has of sets.
(set-logic ALL)
(declare-const A (Set Int))
(declare-const B (Set Int))
(declare-const i Int)
(declare-const k Int)
(assert (set.subset (set.range i k) (set.union A B)))
(assert (distinct (set.diff (set.union A B) B) k))
(check-sat)
