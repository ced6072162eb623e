; A quantified condition inside an arithmetic term: segmentation fault.
; Bad: z3 4.5.1 (crash). Good: from 4.8.0 (post1) on.
(set-logic LIA)
(set-info :status sat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (<= (+ 1 y) (- (ite (forall ((v Int)) (> v x)) x y))))
(assert (exists ((v Int)) (distinct v y)))
(check-sat)
