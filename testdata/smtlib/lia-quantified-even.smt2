; lia quantified even
(set-logic LIA)
(set-info :status unsat)
(assert (exists ((n Int)) (forall ((m Int)) (not (or (= n (* 2 m)) (= n (+ 1 (* 2 m))))))))
(check-sat)
