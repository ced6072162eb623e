; lra triangle
(set-logic QF_LRA)
(set-info :status sat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (and (> x 0.0) (> y 0.0) (<= (+ x y) 1.0)))
(assert (>= (- (* 3.0 x) y) (/ 5.0 4.0)))
(check-sat)
