; nra circle and line
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 1.0))
(assert (= x y))
(check-sat)
