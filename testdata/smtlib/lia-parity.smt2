; lia parity
(set-logic QF_LIA)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= (+ (* 2 x) (* 4 y)) 7))
(check-sat)
