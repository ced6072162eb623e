; nra sum of squares
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (< (+ (* x x) (* y y)) (* 2.0 x y)))
(check-sat)
