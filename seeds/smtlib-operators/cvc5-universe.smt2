; Sets and what is outside of them.
(set-logic ALL)
(declare-const A (Set Int))
(declare-const B (Set Int))
(declare-const i Int)
(declare-const k Int)
(assert (set.subset (set.complement A) (as set.universe (Set Int))))
(assert (set.member i (set.complement B)))
(check-sat)
