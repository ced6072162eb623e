; What z3 alone has of sets.
(set-logic ALL)
(declare-const A (Set Int))
(declare-const B (Set Int))
(declare-const i Int)
(declare-const k Int)
(assert (set.subset (set.range i k) B))
(assert (distinct (set.diff B (set.inter A B)) k))
(check-sat)
