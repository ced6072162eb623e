; lra numerals are real
(set-logic QF_LRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ x y) 1))
(assert (= (- x y) (/ 1 2)))
(assert (not (= x 0.75)))
(check-sat)
