; arrays sorted
(set-logic ALIA)
(set-info :status sat)
(declare-const a (Array Int Int))
(assert (forall ((i Int) (j Int)) (=> (< 0 i j 4) (<= (select a i) (select a j)))))
(assert (> (select a 1) 7))
(check-sat)
