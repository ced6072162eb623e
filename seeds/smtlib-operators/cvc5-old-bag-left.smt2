; What some releases of cvc5 have of bags.
(set-logic HO_ALL)
(declare-const A (Bag Int))
(declare-const B (Bag Int))
(declare-const i Int)
(declare-const k Int)
(assert (= (bag.duplicate_removal B) (bag.difference_remove A B)))
(assert (= (bag.card (bag.partition (lambda ((v Int) (w Int)) (= (mod v 2) (mod w 2))) B)) i))
(check-sat)
