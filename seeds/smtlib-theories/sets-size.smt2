; How many members there are.
(set-logic ALL)
(set-info :status sat)
(declare-const A (Set Int))
(declare-const n Int)
(assert (= n (set.card (set.union A (set.singleton 4)))))
(assert (< 0 n 3))
(assert (set.member 7 A))
(check-sat)
