; Powers and functions that are no polynomials.
(set-logic ALL)
(declare-const x Real)
(declare-const y Real)
(assert (> (exp (* 2 y)) (sin y)))
(assert (< (cos (* 2 y)) (tan y)))
(assert (= (* 2 y) (* y y)))
(check-sat)
