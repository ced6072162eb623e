; A quadratic with negative discriminant has no root.
(set-logic QF_NRA)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun b () Real)
(assert (= (+ (* x x) (* b x) 3.0) 0.0))
(assert (< (- 2.0) b 2.0))
(assert (or (> x 0.0) (<= x 0.0)))
(check-sat)
