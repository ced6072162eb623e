; Subsets both ways are equal.
(set-logic ALL)
(set-info :status unsat)
(declare-const A (Set Int))
(declare-const B (Set Int))
(assert (set.subset A B))
(assert (set.subset (set.union B (set.singleton 3)) A))
(assert (distinct A B))
(check-sat)
