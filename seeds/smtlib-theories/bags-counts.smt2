; How often an element is in a difference.
(set-logic ALL)
(set-info :status sat)
(declare-const A (Bag Int))
(declare-const B (Bag Int))
(assert (= (bag.count 1 (bag.union_disjoint A B)) 5))
(assert (= (bag.count 1 (bag.difference_subtract A B)) 1))
(assert (bag.subbag (bag 2 2) (bag.inter_min A B)))
(check-sat)
