; A dense order has something between any two.
(set-logic LRA)
(set-info :status unsat)
(declare-fun a () Real)
(declare-fun b () Real)
(assert (< a b))
(assert (or (forall ((x Real)) (or (<= x a) (>= x b)))
            (not (forall ((x Real)) (exists ((y Real)) (= (+ y y) (- x b)))))))
(check-sat)
