; bags cvc5
(set-logic ALL)
(set-info :status sat)
(declare-const a (Bag String))
(assert (= (bag.count "x" a) 2))
(assert (= (bag.union_disjoint a (bag "y" 1)) (bag.union_disjoint (bag "x" 2) (bag "y" 1))))
(check-sat)
