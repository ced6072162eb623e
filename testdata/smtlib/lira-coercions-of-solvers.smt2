; lira coercions of solvers
(set-logic QF_LIRA)
(set-info :status sat)
(declare-const x Real)
(declare-const n Int)
(assert (= x (/ n 2)))
(assert (< (+ x 1) n))
(assert (is_int (* 2 x)))
(check-sat)
