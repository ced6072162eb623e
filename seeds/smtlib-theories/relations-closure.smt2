; A way of two steps.
(set-logic ALL)
(set-info :status sat)
(declare-const R (Relation Int Int))
(assert (set.member (tuple 1 3) (rel.tclosure R)))
(assert (not (set.member (tuple 1 3) R)))
(assert (set.subset (rel.transpose R) (rel.join R R)))
(check-sat)
