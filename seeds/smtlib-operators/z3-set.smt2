; What z3 alone has of sets.
(set-logic ALL)
(declare-const A (Set Int))
(declare-const B (Set Int))
(declare-const i Int)
(declare-const k Int)
(assert (set.subset (set.range i k) A))
(assert (distinct (set.diff A B) k))
(check-sat)
