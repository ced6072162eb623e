; Powers and functions that are no polynomials.
(set-logic ALL)
(declare-const x Real)
(declare-const y Real)
(assert (> (exp (+ x y)) (sin y)))
(assert (< (cos (+ x y)) (tan y)))
(assert (= (+ x y) (* y y)))
(check-sat)
